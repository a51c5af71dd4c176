"""A page as a picture, taken by a Chromium that is installed: ``python -m harness.page.picture PAGE.html PICTURE.png``.

It makes ``docs/page.png`` of the README from the page of a published run.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from harness.errors import UserError

BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome", "chrome")
SECONDS: Final = 120
_SWITCHES: Final = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--hide-scrollbars", "--force-device-scale-factor=1", "--virtual-time-budget=5000",
)  # fmt: skip


def take(page: Path, picture: Path, width: int = 1000, height: int = 1400) -> None:
    """Write the upper part of a page as PNG, ``width`` by ``height`` pixels.

    Raises UserError if there is no page, no Chromium, or the browser makes no picture.
    """
    if not page.is_file():
        raise UserError(f"there is no page {page}: make one with dale report RUN --html {page}.")
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        raise UserError(f"a picture needs a browser on the PATH, one of: {', '.join(BROWSERS)}.")
    picture.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory() as profile:
        command = [
            browser, *_SWITCHES, f"--user-data-dir={profile}", f"--window-size={width},{height}",
            f"--screenshot={picture.resolve()}", page.resolve().as_uri(),
        ]  # fmt: skip
        try:
            subprocess.run(command, check=True, capture_output=True, timeout=SECONDS)
        except (OSError, subprocess.SubprocessError) as error:
            raise UserError(f"{browser} could not take the picture: {type(error).__name__}.") from None
    if not picture.is_file():
        raise UserError(f"{browser} took no picture of {page}.")


def main() -> int:
    """Take a picture as the command line says; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m harness.page.picture", description=take.__doc__)
    parser.add_argument("page", type=Path)
    parser.add_argument("picture", type=Path)
    parser.add_argument("--width", type=int, default=1000)
    parser.add_argument("--height", type=int, default=1400)
    arguments = parser.parse_args()
    try:
        take(arguments.page, arguments.picture, arguments.width, arguments.height)
    except UserError as error:
        print(f"picture: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
