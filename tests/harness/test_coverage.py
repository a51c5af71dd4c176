"""Every rule, card statement and example is enforced by named code and exercised by a test (`dale rules coverage`)."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from engine import CODES
from harness import data, rulebook
from harness.cli import run
from harness.coverage import show
from harness.coverage.citations import read_package
from harness.coverage.exercised import exercised
from harness.coverage.identifiers import identifiers
from harness.coverage.table import KINDS, Coverage, checkout, coverage, select
from harness.errors import UserError

ROOT = Path(__file__).parents[2]
SCENARIO = """\
name: {name}
rules: [{rules}]
steps:
  - seat: A
    propose: {{tool: inventory, arguments: {{cards: [magnet]}}}}
    expect: {{violation: unknown_card, rules: [R-CMP-05]}}
"""


@pytest.fixture(scope="module")
def traced() -> Coverage:
    return coverage(ROOT)


def test_every_rule_statement_and_example_is_traced(traced: Coverage) -> None:
    assert {row.id: row.lacks for row in traced.holes} == {}


def test_the_lists_and_citations_are_not_stale(traced: Coverage) -> None:
    assert traced.problems == ()


def test_the_table_holds_every_id_once(traced: Coverage) -> None:
    wanted = [entry.id for entry in rulebook.entries().values() if entry.kind in ("rule", "statement", "example")]
    assert [row.id for row in traced.rows] == wanted
    assert sum(sum(traced.counts(kind).values()) for kind in KINDS) == len(wanted)
    assert [row.id for row in traced.rows if row.status == "withdrawn"] == ["R-SET-09"]


def test_a_row_names_code_refusals_and_tests(traced: Coverage) -> None:
    rows = {row.id: row for row in traced.rows}
    overpay = rows["R-MKT-07"]
    assert "engine.checks.market:_test_payment" in overpay.code
    assert overpay.refusals == ("overpay_unneeded_card",)
    assert "tests/scenarios/market.yaml::EX-MKT-03" in overpay.tests
    assert "tests/engine/test_payments.py::test_the_legal_list_holds_every_purchase_once" in overpay.tests
    assert rows["MAC4-2"].code[-1] == "engine.cards.macaws:spyglass = look + take_one + put_back"
    assert rows["R-END-04"].code[0].startswith("harness.")
    assert rows["EX-MKT-03"].tests == ("tests/scenarios/market.yaml::EX-MKT-03",)
    assert rows["EX-ZON-02"].status == "inexpressible"


def test_no_row_stands_on_its_rules_name_alone(traced: Coverage) -> None:
    """What is listed as enforcing and testing exists: modules, functions, files."""
    for row in traced.rows:
        for place in row.code:
            module, _, name = place.partition(":")
            path = ROOT / Path(*module.split("."))
            source = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
            last = name.partition(" = ")[0].rpartition(".")[2]
            assert re.search(rf"\b{last}\b", source.read_text(encoding="utf-8")), place
        for test in row.tests:
            assert (ROOT / test.partition("::")[0]).is_file()


@pytest.mark.rules("R-ERR-03", "R-ERR-06")
def test_the_engine_gives_every_code_but_those_of_words() -> None:
    text = rulebook.find_rule("R-ERR-06").text
    of_words = {code for code, info in CODES.items() if code in text or info.group == "G"}
    assert len(of_words) == 10
    assert set(CODES) - set(read_package(ROOT, "engine", frozenset(CODES)).codes) == of_words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("R-MKT-05 to R-MKT-08", "R-MKT-05 R-MKT-06 R-MKT-07 R-MKT-08"),
        ("(R-STL-03 to 05), see R-TRN-03..05", "R-STL-03 R-STL-04 R-STL-05 R-TRN-03 R-TRN-04 R-TRN-05"),
        ("R-CLN-08/09, GV-1 to GV-3", "R-CLN-08 R-CLN-09 GV-1 GV-2 GV-3"),
        ("OCE5Bc-4 and CHA-c-1; EX-MAC5A-1.", "OCE5Bc-4 CHA-c-1 EX-MAC5A-1"),
        ("R-MKT, PAN3c, X-R-MKT-07, R-MKT-077", ""),
        ("R-MKT-09 to R-REF-02", "R-MKT-09 R-REF-02"),
    ],
)
def test_ids_are_found_in_prose(text: str, found: str) -> None:
    assert " ".join(identifiers(text)) == found


SOURCE = '''"""About R-AAA-01."""

LIMIT = 5
"""R-AAA-02."""


class Verb:
    """R-AAA-03."""

    def start(self):
        """No rule."""
        return "unknown_card"  # R-AAA-04


def check(reader):
    """R-AAA-05 to 06."""

    def inner():
        reader.blame("missing_required_choice", "MAC1-1")

    return "a word about R-AAA-07"
'''


def test_citations_stand_at_the_innermost_function_class_or_constant(tmp_path: Path) -> None:
    package = tmp_path / "pack" / "cards"
    package.mkdir(parents=True)
    (package.parent / "rules.py").write_text(SOURCE)
    (package / "birds.py").write_text(
        "from pack.verbs import look\n\n"
        'technique("owl", look(3), own())\n'
        '_ask = (find(), look(2))\n_one = own()\ntechnique("owl", *_ask, _one, editions=(REMASTERED,))\n'
    )
    found = read_package(tmp_path, "pack", frozenset(CODES))
    assert found.ids == {
        "R-AAA-01": ["pack.rules"],
        "R-AAA-02": ["pack.rules:LIMIT"],
        "R-AAA-03": ["pack.rules:Verb"],
        "R-AAA-04": ["pack.rules:Verb.start"],
        "R-AAA-05": ["pack.rules:check"],
        "R-AAA-06": ["pack.rules:check"],
        "MAC1-1": ["pack.rules:check.inner"],
    }
    assert found.codes == {
        "unknown_card": ["pack.rules:Verb.start"],
        "missing_required_choice": ["pack.rules:check.inner"],
    }
    first, second = found.programs["owl"]
    assert (first.verbs, first.editions) == (("pack.verbs:look", "pack.cards.birds:own"), "")
    assert second.verbs == ("pack.cards.birds:find", "pack.verbs:look", "pack.cards.birds:own")
    assert second.editions == "(remastered,)"


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """A small checkout: the docs, an engine that cites, a scenario, a Python test and the lists."""

    def build(lists: str = "", source: str = '"""R-INV-01."""\n', tests: str = "", rules: str = "R-INV-01") -> Path:
        for folder in ("engine", "harness", "tests/scenarios"):
            (tmp_path / folder).mkdir(parents=True)
        (tmp_path / "docs").symlink_to(ROOT / "docs")
        (tmp_path / "engine/rules.py").write_text(source)
        (tmp_path / "tests/test_one.py").write_text(tests)
        (tmp_path / "tests/scenarios/one.yaml").write_text(SCENARIO.format(name="EX-MKT-01 again", rules=rules))
        (tmp_path / "tests/coverage.toml").write_text(lists)
        monkeypatch.setattr(data, "data_root", lambda: tmp_path)
        return tmp_path

    return build


PYTHON_TESTS = """
import pytest

pytestmark = [pytest.mark.rules("R-INV-01")]


@pytest.mark.rules("R-INV-02", "R-INV-03")
@pytest.mark.parametrize("x", [1])
def test_function(x): ...


@pytest.mark.slow
@pytest.mark.rules("R-MKT-01")
def test_that_ci_leaves_out(): ...


@pytest.mark.skipif(True, reason="never")
@pytest.mark.rules("R-MKT-01")
def test_that_is_skipped(): ...


@pytest.mark.rules("R-MKT-02")
class TestGroup:
    @pytest.mark.rules("R-MKT-03")
    async def test_method(self): ...

    def helper(self): ...
"""


def test_scenarios_and_markers_say_what_is_exercised(clone: Callable[..., Path]) -> None:
    scenario = "tests/scenarios/one.yaml::EX-MKT-01 again"
    function, method = "tests/test_one.py::test_function", "tests/test_one.py::TestGroup::test_method"
    assert exercised(clone(tests=PYTHON_TESTS)) == {
        "EX-MKT-01": [scenario],
        "R-CMP-05": [scenario],
        "R-INV-01": [scenario, method, function],
        "R-INV-02": [function],
        "R-INV-03": [function],
        "R-MKT-02": [method],
        "R-MKT-03": [method],
    }


def test_a_rule_without_test_or_code_is_a_hole(clone: Callable[..., Path]) -> None:
    table = coverage(clone(source='"""R-INV-01, R-INV-02."""\n', rules="R-INV-01, R-INV-03"))
    rows = {row.id: row for row in table.rows}
    assert (rows["R-INV-01"].status, rows["R-INV-01"].lacks) == ("covered", ())
    assert (rows["R-INV-02"].status, rows["R-INV-02"].lacks) == ("missing", ("test",))
    assert (rows["R-INV-03"].status, rows["R-INV-03"].lacks) == ("missing", ("code",))
    assert (rows["R-SET-09"].status, rows["R-SET-09"].lacks) == ("withdrawn", ())
    assert rows["R-MKT-01"].lacks == ("code", "test")
    assert rows["EX-MKT-01"].status == "covered"
    assert rows["EX-MKT-02"].lacks == ("scenario",)
    assert table.problems == ()


STALE = """
[definition]
R-INV-01 = "does nothing"
R-XYZ-01 = "is no rule"
EX-MKT-02 = "is an example"
R-SET-09 = "is withdrawn"
R-VOC-01 = "twice"
[inexpressible]
R-VOC-02 = "is a rule"
[awaiting]
"the future" = ["R-VOC-01", "EX-MKT-01"]
"""


def test_stale_entries_are_problems(clone: Callable[..., Path]) -> None:
    table = coverage(clone(STALE, source='"""R-INV-01, R-QQQ-01."""\n', rules="R-INV-01, R-PPP-01"))
    assert [problem.removeprefix("tests/coverage.toml: ") for problem in table.problems] == [
        "definition names R-INV-01, which is covered: take it out.",
        "definition names R-XYZ-01, which is no rule, card statement or example.",
        "definition is not for the example EX-MKT-02.",
        "definition names R-SET-09, which is withdrawn: take it out.",
        "inexpressible is not for the rule R-VOC-02.",
        "R-VOC-01 stands in definition and in awaiting.",
        "awaiting names EX-MKT-01, which is covered: take it out.",
        "engine.rules names R-QQQ-01, which the rules do not have.",
        "tests/scenarios/one.yaml::EX-MKT-01 again names R-PPP-01, which the rules do not have.",
    ]


@pytest.mark.parametrize(
    ("lists", "part"),
    [
        ("[definition", "cannot be read as TOML"),
        ("[definitions]\n", "unknown table 'definitions'"),
        ("[definition]\nR-SRC-01 = ''\n", "every entry of definition must be an ID with a reason"),
        ("[awaiting]\nlater = 'R-SRC-01'\n", "awaiting 'later' must be a list of IDs"),
    ],
)
def test_lists_that_cannot_be_read_are_one_sentence(clone: Callable[..., Path], lists: str, part: str) -> None:
    with pytest.raises(UserError, match=re.escape(part)):
        coverage(clone(lists))


def test_rows_are_chosen_by_id_and_by_what_is_missing(traced: Coverage) -> None:
    assert [row.id for row in select(traced, "r-inv", missing=False)] == ["R-INV-01", "R-INV-02", "R-INV-03"]
    assert {row.id.rpartition("-")[0] for row in select(traced, "MAC2", missing=False)} == {"MAC2c", "MAC2r"}
    assert select(traced, None, missing=True) == traced.holes
    with pytest.raises(UserError, match="slot_empty is a code: only rules"):
        select(traced, "slot_empty", missing=False)
    with pytest.raises(UserError, match="close to it: R-MKT-07"):
        select(traced, "R-MKT-7", missing=False)


def test_it_is_printed_as_json_and_csv(traced: Coverage) -> None:
    rows = select(traced, "R-MKT", missing=False)
    whole = json.loads(show.as_json(traced, rows))
    assert whole["counts"]["rule"] == traced.counts("rule")
    assert [row["id"] for row in whole["rows"]] == [row.id for row in rows]
    lines = list(csv.DictReader(show.as_csv(rows).splitlines()))
    assert lines[6]["id"] == "R-MKT-07"
    assert lines[6]["tests"].split("; ") == list(rows[6].tests)


def test_the_command_prints_the_table_and_ends_with_the_result(
    clone: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    clone('[definition]\nR-SRC-01 = "says which source wins"\n')
    assert run(["rules", "coverage"]) == 1
    out = capsys.readouterr().out
    assert "definition: says which source" in out
    assert "MISSING: no code and no test" in out
    assert re.search(r"^Rules of the game: \d+; 1 covered, 1 definition, 1 withdrawn, \d+ missing$", out, re.M)
    assert run(["rules", "coverage", "--rule", "R-INV-01"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("R-INV-01  (7. Inventory action): covered\nThe player discards")
    assert out.endswith("Tested by:\n  tests/scenarios/one.yaml::EX-MKT-01 again\n")
    assert run(["rules", "coverage", "--missing", "--format", "csv"]) == 1
    assert "R-INV-01" not in capsys.readouterr().out


def test_outside_a_checkout_it_says_so(clone: Callable[..., Path], capsys: pytest.CaptureFixture[str]) -> None:
    (clone() / "tests/coverage.toml").unlink()
    assert run(["rules", "coverage"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("dale: the tests are not part of an installed package")
    assert captured.err.count("\n") == 1


def test_the_word_coverage_can_still_be_searched_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", "coverage", "of", "stacks"]) == 2
    assert "no rule contains these words" in capsys.readouterr().err
    assert run(["rules", "finished", "stack"]) == 0
    assert "R-STL-07" in capsys.readouterr().out


def test_this_checkout_is_found() -> None:
    assert checkout() == ROOT
