"""Whole requests and raw answers, stored once under the digest of their bytes, compressed."""

from __future__ import annotations

import gzip
import hashlib
import os
from pathlib import Path

from harness.errors import UserError


class BlobStore:
    """A folder of blobs: ``<first two digits>/<digest>.gz``; the digest is the SHA-256 of the plain bytes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, data: bytes) -> str:
        """Store the bytes unless they are there already, and return their digest; UserError if the disk refuses."""
        name = hashlib.sha256(data).hexdigest()
        path = self._path(name)
        if path.exists():
            return name
        part = path.with_name(f"{name}.{os.getpid()}.part")  # whole or not there: a kill leaves no half blob
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            part.write_bytes(gzip.compress(data, compresslevel=3, mtime=0))
            part.replace(path)
        except OSError as error:
            raise UserError(f"cannot write under {self.folder}: {error.strerror}.") from None
        return name

    def get(self, name: str) -> bytes:
        """Return the bytes of a digest; UserError if they are missing or damaged."""
        path = self._path(name)
        try:
            data = gzip.decompress(path.read_bytes())
        except (OSError, EOFError) as error:
            raise UserError(f"the blob {path} cannot be read: {error}.") from None
        if hashlib.sha256(data).hexdigest() != name:
            raise UserError(f"the blob {path} is damaged: its bytes do not give its digest.")
        return data

    def _path(self, name: str) -> Path:
        return self.folder / name[:2] / f"{name}.gz"
