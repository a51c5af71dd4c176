"""Build hook: with DALE_COMPILE=1 the wheel holds the engine compiled by mypyc, beside its sources.

The build stays pure Python by default. A compiled engine plays the same games: `tests/golden/digests.py --installed`.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SWITCH = "DALE_COMPILE"
EDITABLE = "editable"


class CompileEngine(BuildHookInterface[Any]):
    """Compile every module of the engine into one library, when asked to."""

    def _wanted(self) -> bool:
        return os.environ.get(SWITCH, "") not in ("", "0")

    def dependencies(self) -> list[str]:
        """What the build environment needs for it, beside a C compiler."""
        return ["mypy>=2.4,<3", "setuptools>=80,<90"] if self._wanted() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the compiled modules to the wheel; an editable install runs from its sources and is never compiled."""
        if not self._wanted() or version == EDITABLE:
            return
        built = Path(tempfile.mkdtemp(prefix="dale-engine-"))
        _compile(Path(self.root), built)
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        for library in sorted((built / "lib").rglob("*.so")) + sorted((built / "lib").rglob("*.pyd")):
            build_data["force_include"][str(library)] = library.relative_to(built / "lib").as_posix()


def _compile(root: Path, built: Path) -> None:
    from mypyc.build import mypycify
    from setuptools import Distribution

    here = Path.cwd()
    os.chdir(root)
    try:
        modules = sorted(str(path) for path in Path("engine").rglob("*.py") if path.name != "__init__.py")
        extensions = mypycify(modules, opt_level="2", target_dir=str(built / "c"))
        command = Distribution({"name": "engine", "ext_modules": extensions}).get_command_obj("build_ext")
        command.build_lib, command.build_temp = str(built / "lib"), str(built / "temp")
        command.parallel = os.cpu_count()
        command.ensure_finalized()
        command.run()
    finally:
        os.chdir(here)
