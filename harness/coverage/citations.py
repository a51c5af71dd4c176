"""Where code says that it enforces a rule: docstrings, comments and refusals that name rule IDs (CONTRIBUTING.md).

A place is written `module:function`, `module:Class.method` or `module:CONSTANT`: the innermost of these that holds the
ID; the module alone where the ID stands in its docstring.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from harness.coverage.identifiers import identifiers, is_identifier

Places = dict[str, list[str]]
"""For each ID or code the places that name it, in the order of the files, each once."""

_Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass
class Citations:
    """What the sources of a package name: IDs, violation codes, and the programs of cards."""

    ids: Places = field(default_factory=dict)
    codes: Places = field(default_factory=dict)
    programs: dict[str, list[Program]] = field(default_factory=dict)


@dataclass(frozen=True)
class Program:
    """What a card does, as one line of `engine/cards/`: the verbs, and the editions named beside them (if any)."""

    module: str
    verbs: tuple[str, ...]
    editions: str


def read_package(root: Path, package: str, codes: frozenset[str]) -> Citations:
    """Everything the modules of a package below `root` cite, module by module in order of path."""
    found = Citations()
    for path in sorted((root / package).rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        source = path.read_text(encoding="utf-8")
        tree = ast.parse(source)
        for place, rule in [*_written(tree, module), *_commented(tree, source, module)]:
            _add(found.ids, rule, place)
        for place, text in _strings_in_functions(tree, module):
            if text in codes:
                _add(found.codes, text, place)
            elif is_identifier(text):
                _add(found.ids, text, place)
        if ".cards." in module:
            for slug, program in _programs(tree, module):
                found.programs.setdefault(slug, []).append(program)
    return found


def _add(places: Places, key: str, place: str) -> None:
    known = places.setdefault(key, [])
    if place not in known:
        known.append(place)


def _written(tree: ast.Module, module: str) -> Iterator[tuple[str, str]]:
    """The IDs in docstrings: of the module, of functions and classes, and below constants."""
    for scope, name in [(tree, ""), *_scopes(tree)]:
        assert isinstance(scope, ast.Module | _Scope)
        owner = name
        for number, statement in enumerate(scope.body):
            text = _text(statement)
            if text is not None:
                place = owner if number else name
                yield from ((f"{module}:{place}" if place else module, rule) for rule in identifiers(text))
            else:
                owner = _constant(statement, name)


def _scopes(node: ast.AST, outer: str = "") -> Iterator[tuple[_Scope, str]]:
    """Every function and class with its qualified name, outer ones before those inside them."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, _Scope):
            name = f"{outer}.{child.name}" if outer else child.name
            yield child, name
            yield from _scopes(child, name)
        else:
            yield from _scopes(child, outer)


def _text(statement: ast.stmt) -> str | None:
    """The text of a statement that is a string and nothing else."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return statement.value.value if isinstance(statement.value.value, str) else None
    return None


def _constant(statement: ast.stmt, scope: str) -> str:
    """The qualified name an assignment gives a value to; the scope itself for any other statement."""
    target = statement.targets[0] if isinstance(statement, ast.Assign) else getattr(statement, "target", None)
    return f"{scope}.{target.id}".lstrip(".") if isinstance(target, ast.Name) else scope


def _commented(tree: ast.Module, source: str, module: str) -> Iterator[tuple[str, str]]:
    """The IDs in comments, each at the innermost function, class or constant of the module around it."""
    spans = [(scope.lineno, scope.end_lineno or 0, name) for scope, name in _scopes(tree)]
    for statement in tree.body:
        name = _constant(statement, "")
        if name:
            spans.append((statement.lineno, statement.end_lineno or 0, name))
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            line = token.start[0]
            around = [name for first, last, name in spans if first <= line <= last]
            place = f"{module}:{around[-1]}" if around else module
            yield from ((place, rule) for rule in identifiers(token.string))


def _strings_in_functions(tree: ast.Module, module: str) -> Iterator[tuple[str, str]]:
    """Every string in the body of a function that is no docstring, with its innermost function."""
    for scope, name in _scopes(tree):
        if not isinstance(scope, ast.ClassDef):
            nodes = [node for statement in scope.body if _text(statement) is None for node in _own(statement)]
            for node in nodes:
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield f"{module}:{name}", node.value


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes below one, without those of functions and classes defined inside it."""
    if not isinstance(node, _Scope):
        yield node
        for child in ast.iter_child_nodes(node):
            yield from _own(child)


def _programs(tree: ast.Module, module: str) -> Iterator[tuple[str, Program]]:
    """The card programs of a module: calls whose first argument is a slug and whose others are verbs."""
    origin = {
        alias.asname or alias.name: f"{node.module}:{alias.name}"
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    named = {_constant(node, ""): node.value for node in tree.body if isinstance(node, ast.Assign)}
    for statement in tree.body:
        call = statement.value if isinstance(statement, ast.Expr) else None
        if isinstance(call, ast.Call) and call.args and isinstance(call.args[0], ast.Constant):
            verbs = [verb for part in call.args[1:] for verb in _verbs(part, named)]
            editions = " ".join(ast.unparse(word.value) for word in call.keywords if word.arg == "editions")
            places = tuple(origin.get(verb, f"{module}:{verb}") for verb in verbs)
            yield str(call.args[0].value), Program(module, places, editions.lower())


def _verbs(part: ast.expr, named: dict[str, ast.expr]) -> list[str]:
    """The verbs a part of a card's line makes, looked up where the module has given them a name before."""
    if isinstance(part, ast.Call) and isinstance(part.func, ast.Name):
        return [part.func.id]
    if isinstance(part, ast.Tuple):
        return [verb for one in part.elts for verb in _verbs(one, named)]
    inner = part.value if isinstance(part, ast.Starred) else part
    return _verbs(named[inner.id], named) if isinstance(inner, ast.Name) and inner.id in named else []
