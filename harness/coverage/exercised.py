"""Which rules the tests exercise: what scenario files name, and the marker `rules` of Python tests.

A scenario exercises the IDs in its `rules` and in those of its steps' expectations; its name, if the first word is an
example's ID, makes it a scenario of that example. A Python test exercises the IDs of
`@pytest.mark.rules("R-MKT-07")`, given to the function, to its class or as `pytestmark` to the module; tests that CI
leaves out or skips do not count.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from harness.scenario_file import Document, load_paths

NOT_RUN = frozenset(("slow", "skip", "skipif", "xfail"))
"""Markers of tests that do not count."""

Tests = dict[str, list[str]]
"""For each ID the tests of it, as `path::name`."""


def exercised(root: Path) -> Tests:
    """The tests of every ID named in the tests of a checkout, scenarios first. Raises ScenarioFileError."""
    found: Tests = {}
    for document in load_paths([root / "tests" / "scenarios"]):
        test = f"{document.path.relative_to(root).as_posix()}::{document.scenario.name}"
        for rule in _of_scenario(document):
            _add(found, rule, test)
    for path in sorted((root / "tests").rglob("test_*.py")):
        for rule, name in _of_module(ast.parse(path.read_text(encoding="utf-8"))):
            _add(found, rule, f"{path.relative_to(root).as_posix()}::{name}")
    return found


def _add(found: Tests, rule: str, test: str) -> None:
    tests = found.setdefault(rule, [])
    if test not in tests:
        tests.append(test)


def _of_scenario(document: Document) -> Iterator[str]:
    scenario = document.scenario
    example = scenario.name.partition(" ")[0]
    if example.startswith("EX-"):
        yield example
    yield from scenario.rules
    for expect in (*(step.expect for step in scenario.steps), scenario.expect):
        yield from expect.rules


def _of_module(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """ID and name of the test, for each test function of a module."""
    marks = _pytestmark(tree.body)
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
            inside = marks + _marks(node.decorator_list) + _pytestmark(node.body)
            yield from ((rule, f"{node.name}::{name}") for rule, name in _of_functions(node.body, inside))
    yield from _of_functions(tree.body, marks)


def _of_functions(body: list[ast.stmt], outer: list[ast.expr]) -> Iterator[tuple[str, str]]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            marks = outer + _marks(node.decorator_list)
            if not any(_mark_name(mark) in NOT_RUN for mark in marks):
                yield from ((rule, node.name) for mark in marks for rule in _rules(mark))


def _pytestmark(body: list[ast.stmt]) -> list[ast.expr]:
    """What `pytestmark = ...` gives to everything in a module or class."""
    for node in body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "pytestmark" for t in node.targets):
            value = node.value
            return _marks(value.elts if isinstance(value, ast.List | ast.Tuple) else [value])
    return []


def _marks(expressions: list[ast.expr]) -> list[ast.expr]:
    return [expression for expression in expressions if _mark_name(expression)]


def _mark_name(expression: ast.expr) -> str:
    """The name of `pytest.mark.NAME`, with or without arguments; empty for anything else."""
    inner = expression.func if isinstance(expression, ast.Call) else expression
    if isinstance(inner, ast.Attribute) and ast.unparse(inner.value) == "pytest.mark":
        return inner.attr
    return ""


def _rules(mark: ast.expr) -> Iterator[str]:
    if _mark_name(mark) == "rules" and isinstance(mark, ast.Call):
        for argument in mark.args:
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                yield argument.value
