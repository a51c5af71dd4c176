"""Dependencies point one way: engine <- harness <- command line; inside the engine from data up to the game."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ENGINE = sorted((ROOT / "engine").rglob("*.py"))
HARNESS = sorted((ROOT / "harness").rglob("*.py"))

# Upper lines may import from lower ones and from their own, never the other way round.
LAYERS = [
    "game",
    "opportunities explanations",
    "tools guided",
    "observe determinise setup position",
    "checks.judge checks.market checks.stall checks.technique checks.ability checks.authority",
    "proposals subjects legal plays purchases builds open_cards hands hand_tables hand_parts groups",
    "turn cleanup decisions window",
    "cards",
    "verbs",
    "frames",
    "checks.copies checks.form announce stacks copying references payments",
    "deal moves knowledge chance",
    "values actions",
    "state serial schemas",
    "tables codes choices",
    "types polynomials errors rng events event_types caches",
]

KNOW_NO_GAME = ("harness.errors", "harness.data", "harness.canonical", "harness.text")

MAY_HELP_PROVIDERS = ("harness.errors", "harness.data", "harness.canonical", "harness.secrets")


def imported(path: Path) -> set[str]:
    """Every module a file imports, as `package.module`; names taken from a package count as its modules if they are."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            base = node.module or ""
            for alias in node.names:
                inner = ROOT / Path(*base.split("."), alias.name)
                is_module = inner.with_suffix(".py").exists() or inner.is_dir()
                found.add(f"{base}.{alias.name}" if is_module else base)
    return found


def name_of(path: Path) -> str:
    """`engine/verbs/look.py` is `engine.verbs.look`."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def layer(module: str) -> int:
    """The place of an engine module in LAYERS, 0 at the bottom."""
    inner = module.removeprefix("engine.")
    for height, names in enumerate(reversed(LAYERS)):
        for name in names.split():
            if inner == name or inner.startswith(name + "."):
                return height
    raise AssertionError(f"{module} has no place in the layers")


@pytest.mark.parametrize("path", ENGINE, ids=name_of)
def test_the_engine_imports_the_standard_library_and_itself(path: Path) -> None:
    for module in imported(path):
        top = module.partition(".")[0]
        assert top == "engine" or top in sys.stdlib_module_names, module


@pytest.mark.parametrize("path", [path for path in ENGINE if path.name != "__init__.py"], ids=name_of)
def test_the_engine_imports_downwards(path: Path) -> None:
    for module in imported(path):
        if module.startswith("engine.") and module != "engine.checks":
            assert layer(module) <= layer(name_of(path)), module


@pytest.mark.parametrize("path", HARNESS, ids=name_of)
def test_the_harness_uses_the_public_names_of_the_engine_alone(path: Path) -> None:
    for module in imported(path):
        assert not module.startswith("engine."), module


@pytest.mark.parametrize(
    "path", [path for path in ENGINE + HARNESS if "cli" not in path.parts and path.name != "__main__.py"], ids=name_of
)
def test_nothing_imports_the_command_line(path: Path) -> None:
    for module in imported(path):
        assert not module.startswith("harness.cli"), module


@pytest.mark.parametrize("path", [path for path in HARNESS if "providers" in path.parts], ids=name_of)
def test_providers_know_no_game(path: Path) -> None:
    for module in imported(path):
        assert module != "engine", module
        if module.startswith("harness."):
            assert module.startswith(("harness.providers", *MAY_HELP_PROVIDERS)), module


def test_no_module_of_the_engine_imports_itself_round_a_corner() -> None:
    graph = {
        name_of(path): {module for module in imported(path) if module.startswith("engine.")}
        for path in ENGINE
        if path.name != "__init__.py"
    }
    done: set[str] = set()

    def visit(module: str, trail: tuple[str, ...]) -> None:
        assert module not in trail, " -> ".join((*trail, module))
        if module not in done:
            for other in sorted(graph.get(module, ())):
                visit(other, (*trail, module))
            done.add(module)

    for module in sorted(graph):
        visit(module, ())
