"""Whole requests and raw answers, stored once under the digest of their bytes, compressed."""

from __future__ import annotations

import hashlib
import os
import uuid
from contextlib import suppress
from pathlib import Path

import zstandard

from harness.errors import UserError, cannot_write

COMPRESSION = 1
"""The fastest of zstd's usual levels: on a model's turn this is most of what the harness does beside the prompt."""


_TOKEN = f"{uuid.uuid4().hex[:8]}-"
"""Hosts that share a disk may have processes of one number."""


class BlobStore:
    """A folder of blobs: ``<first two digits>/<digest>.zst``; the digest is the SHA-256 of the plain bytes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, data: bytes) -> str:
        """Store the bytes unless they are there already, and return their digest; UserError if the disk refuses."""
        name = hashlib.sha256(data).hexdigest()
        path = os.path.join(self.folder, name[:2], f"{name}.zst")  # texts, for Path takes its time and this is hot
        if os.path.exists(path):
            return name
        part = f"{path}.{_TOKEN}{os.getpid()}.part"  # whole or not there: a kill leaves no half blob
        try:
            _write(part, zstandard.compress(data, COMPRESSION))
            os.replace(part, path)
        except OSError as error:
            with suppress(OSError):
                os.remove(part)
            raise cannot_write(f"under {self.folder}", error) from None
        return name

    def get(self, name: str) -> bytes:
        """Return the bytes of a digest; UserError if they are missing or damaged."""
        path = self.folder / name[:2] / f"{name}.zst"
        try:
            data = zstandard.decompress(path.read_bytes())
        except (OSError, zstandard.ZstdError) as error:
            raise UserError(f"the blob {path} cannot be read: {error}.") from None
        if hashlib.sha256(data).hexdigest() != name:
            raise UserError(f"the blob {path} is damaged: its bytes do not give its digest.")
        return data


def _write(path: str, data: bytes) -> None:
    """Write a whole file, making its folder if it is the first one there."""
    try:
        file = open(path, "wb", buffering=0)  # noqa: SIM115 - closed below
    except FileNotFoundError:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        file = open(path, "wb", buffering=0)  # noqa: SIM115 - closed below
    with file:
        while data:
            data = data[file.write(data) :]
