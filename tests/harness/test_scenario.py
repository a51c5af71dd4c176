"""The runner of scenario files: a wrong expectation fails, a broken file is one sentence, the counts are right."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from engine import Game
from harness.errors import UserError
from harness.scenario import Failure, Scenario, ScenarioFileError, check_paths, load_file, run

EXAMPLE = """
name: EX-MKT-03
rules: [R-MKT-07]
edition: classic
players: 2
sets: [macaws, pandas, raccoons]
seed: 1
turn: A
state:
  market: [spyglass, cookies, nuisance, null, flashy_show]
  market_deck: [rotten_food, prepaid_good]
  market_discard: [loyal_partner]
  junk_pile: 6
  A: {hand: [shattered_relic, junk], deck: [junk], discard: [], stall: [[swift_broker], [cookies]]}
  B: {hand: [junk], deck: []}
random: []
steps:
  - seat: A
    propose: {tool: market, arguments: {source: slot_1, payment: [shattered_relic, junk]}}
    expect: {violation: overpay_unneeded_card, rules: [R-MKT-07]}
  - seat: A
    propose: {tool: market, arguments: {source: slot_1, payment: [shattered_relic]}}
    expect: {accepted: true, decision: {seat: B, kind: action}}
expect:
  A: {hand_size: 6, hand: [junk, junk, junk, junk, cookies, shattered_relic], discard: []}
  junk_pile: 4
  market: [spyglass, nuisance, flashy_show, rotten_food, prepaid_good]
  winner: null
"""

ROLLS = """
name: rolls
sets: [macaws, ocelots, raccoons]
state: {market: [], market_deck: [], A: {hand: [bold_haggler, junk], deck: []}, B: {hand: [], deck: []}}
random: [{die: 3}]
steps:
  - seat: A
    propose: {tool: ability, arguments: {card: bold_haggler}}
"""


def scenario(text: str = EXAMPLE, **changes: Any) -> Scenario:
    return Scenario.model_validate(yaml.safe_load(text) | changes)


def with_step(expect: dict[str, Any], step: int) -> tuple[Failure, ...]:
    """Run the example with another expectation of its first (refused) or second (accepted) step."""
    data = yaml.safe_load(EXAMPLE)
    data["steps"][step]["expect"] = expect
    return run(Scenario.model_validate(data))


def write(folder: Path, text: str, name: str = "a.yaml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_the_example_of_the_contract_holds() -> None:
    assert run(scenario()) == ()


@pytest.mark.parametrize(
    ("expect", "field", "got"),
    [
        ({"junk_pile": 5}, "junk_pile", 4),
        ({"market": ["spyglass"]}, "market", ["spyglass", "nuisance", "flashy_show", "rotten_food", "prepaid_good"]),
        ({"market_deck": ["junk"]}, "market_deck", []),
        ({"market_discard": []}, "market_discard", ["loyal_partner"]),
        ({"winner": "A"}, "winner", None),
        ({"decision": {"seat": "A"}}, "decision", {"seat": "B", "kind": "action"}),
        ({"decision": {"kind": "end_of_turn"}}, "decision", {"seat": "B", "kind": "action"}),
        ({"decision": None}, "decision", {"seat": "B", "kind": "action"}),
        ({"A": {"hand_size": 5}}, "A.hand_size", 6),
        ({"A": {"deck_size": 1}}, "A.deck_size", 0),
        ({"A": {"discard": ["junk"]}}, "A.discard", []),
        ({"A": {"deck": ["junk"]}}, "A.deck", []),
        ({"A": {"stall": [["cookies"], ["swift_broker"]]}}, "A.stall", [["swift_broker"], ["cookies"]]),
        ({"B": {"hand": []}}, "B.hand", ["junk"]),
        ({"violation": "overpay_unneeded_card"}, "accepted", "accepted"),
        ({"accepted": False}, "accepted", "accepted"),
    ],
    ids=lambda value: str(value)[:40],
)  # fmt: skip
def test_a_wrong_expectation_at_the_end_fails(expect: dict[str, Any], field: str, got: Any) -> None:
    (failure,) = run(scenario(expect=expect))
    assert (failure.step, failure.field, failure.got) == (None, field, got)


def test_hands_and_stacks_are_multisets_and_piles_are_in_order() -> None:
    hand = ["shattered_relic", "cookies", "junk", "junk", "junk", "junk"]
    assert run(scenario(expect={"A": {"hand": hand}})) == ()
    assert run(scenario(expect={"A": {"hand": hand[:-1]}}))
    turned = {"market": ["nuisance", "spyglass", "flashy_show", "rotten_food", "prepaid_good"]}
    assert [failure.field for failure in run(scenario(expect=turned))] == ["market"]


def test_gold_is_compared_where_there_is_any() -> None:
    rich = {"variant": "tournament", "expect": {"B": {"gold": 2}}}
    assert [(one.field, one.got) for one in run(scenario(**rich))] == [("B.gold", 1)]
    assert [(one.field, one.got) for one in run(scenario(expect={"B": {"gold": 0}}))] == [("B.gold", None)]


@pytest.mark.parametrize(
    ("expect", "field"),
    [
        ({}, "accepted"),
        ({"accepted": True}, "accepted"),
        ({"violation": "insufficient_payment"}, "violation"),
        ({"codes": ["duplicate_card"]}, "codes"),
        ({"rules": ["R-MKT-06"]}, "rules"),
        ({"accepted": False, "A": {"hand": []}}, "A.hand"),
    ],
)
def test_a_wrong_expectation_of_a_refused_step_fails(expect: dict[str, Any], field: str) -> None:
    (failure,) = with_step(expect, 0)
    assert (failure.step, failure.field) == (1, field)


@pytest.mark.parametrize(
    "expect",
    [
        {"accepted": False},
        {"violation": "overpay_unneeded_card"},
        {"codes": ["overpay_unneeded_card"]},
        {"rules": ["R-MKT-07"], "A": {"hand_size": 2}},
    ],
)
def test_a_refusal_may_be_expected_in_several_ways(expect: dict[str, Any]) -> None:
    assert with_step(expect, 0) == ()


def test_a_refusal_that_is_not_expected_says_code_and_rule() -> None:
    (failure,) = with_step({}, 0)
    assert str(failure).startswith("step 1: accepted: expected accepted, got refused: overpay_unneeded_card (R-MKT-07")


def test_a_refusal_that_is_expected_and_does_not_come_fails() -> None:
    (failure,) = with_step({"violation": "slot_empty"}, 1)
    assert str(failure) == "step 2: accepted: expected refused: slot_empty, got accepted"


def test_a_refusal_must_leave_the_game_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    digests = iter("abcdef")
    monkeypatch.setattr(Game, "digest", lambda game: next(digests))
    (failure,) = run(scenario())
    assert (failure.step, failure.field, failure.got) == (1, "state", "changed")


def test_events_are_a_subsequence_by_type_and_named_fields() -> None:
    bought = {"type": "market", "seat": "A", "card": "cookies", "cost": 3}
    refill = {"type": "refill"}
    assert with_step({"events": [bought, refill]}, 1) == ()
    for wrong in ([refill, bought], [bought, bought], [bought | {"cost": 4}], [bought | {"extra": 1}]):
        assert [failure.field for failure in with_step({"events": wrong}, 1)] == ["events"]
    assert run(scenario(expect={"events": [bought]})) == ()


def test_forced_outcomes_must_fit_and_be_used() -> None:
    assert run(scenario(ROLLS)) == ()
    (left,) = run(scenario(ROLLS, random=[{"die": 3}, {"die": 1}]))
    assert (left.step, left.field, left.got) == (None, "random", "1 left over")
    (misfit,) = run(scenario(ROLLS, random=[{"pick": ["junk"]}]))
    assert (misfit.step, misfit.field) == (1, "random")
    assert "die" in misfit.got


def test_the_last_step_is_judged_at_the_end_only_if_there_is_one() -> None:
    (failure,) = run(scenario(steps=[], expect={"accepted": True}))
    assert (failure.field, failure.got) == ("accepted", "no step")
    assert run(scenario(steps=[], expect={"A": {"hand": ["junk", "shattered_relic"]}})) == ()


def test_reports_count_and_name_what_failed(tmp_path: Path) -> None:
    write(tmp_path, EXAMPLE + "---\n" + EXAMPLE.replace("junk_pile: 4", "junk_pile: 3"), "b.yaml")
    write(tmp_path, ROLLS, "a.yml")
    report = check_paths([tmp_path])
    assert (report.files, report.scenarios, len(report.failed), report.exit_code) == (2, 3, 1, 1)
    assert report.lines == [
        f"{tmp_path}/b.yaml: EX-MKT-03: end: junk_pile: expected 3, got 4",
        "2 of 3 scenarios in 2 files hold, 1 failed.",
    ]
    good = check_paths([tmp_path / "a.yml"])
    assert (good.exit_code, good.lines) == (0, ["1 of 1 scenarios in 1 files hold."])


def test_several_failures_of_one_scenario_are_one_line(tmp_path: Path) -> None:
    path = write(tmp_path, EXAMPLE.replace("junk_pile: 4", "junk_pile: 3").replace("hand_size: 6", "hand_size: 7"))
    assert check_paths([path]).lines[0].endswith("expected 3, got 4 (and 1 more)")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("name: EX-MKT-03", "title: EX-MKT-03", "document 1: the field name is missing"),
        ("junk_pile: 6", "junk_pile: six", "state.junk_pile must be a valid integer, not 'six'"),
        ("junk_pile: 6", "junk_pile: -1", "state.junk_pile must be greater than or equal to 0, not -1"),
        ("junk_pile: 6", "junk_pile: 99999999999", "state.junk_pile must be less than or equal to 1000"),
        ("market_deck: [rotten", "market_dock: [rotten", "state.market_dock: there is no such field here"),
        ("deck: [junk], discard", "dock: [junk], discard", "A.dock: there is no such field here; the fields are hand,"),
        ("hand_size: 6", "size: 6", "expect.A.size: there is no such field here; the fields are hand"),
        ("market: [spyglass", "market: [spyglas", "state.market: unknown card 'spyglas'; did you mean 'spyglass'?"),
        ("[loyal_partner]", "[exclusive_contacts]", "state.market_discard: unknown card 'exclusive_contacts'"),
        ("[loyal_partner]", "[acorn]", "unknown card 'acorn'"),
        ("hand: [junk, junk", "hand: [magnet, junk", "expect.A.hand: unknown card 'magnet'"),
        ("raccoons]", "racoons]", "sets: unknown set 'racoons'; did you mean 'raccoons'?"),
        ("raccoons]", "raccoons, squirrels]", "4 sets for 2 players"),
        ("players: 2", "players: 5", "players must be less than or equal to 4, not 5"),
        ("turn: A", "turn: C", "turn: there is no seat C with 2 players"),
        ("  B: {hand", "  C: {hand", "state.C: there is no seat C with 2 players"),
        ("edition: classic", "edition: modern", "edition must be 'classic' or 'remastered', not 'modern'"),
        ("random: []", "random: [{die: 3, pick: [junk]}]", "random[0]: a forced outcome has exactly one of"),
        ("random: []", "random: [{pick: [magnet]}]", "random[0]: unknown card 'magnet'"),
        ("random: []", "random: [{die: 9}]", "a forced die shows a face of the die, not 9"),
        ("overpay_unneeded_card", "overpay", "steps[0].expect: unknown violation code 'overpay'"),
        ("violation: overpay_unneeded_card", "accepted: true", "accepted: true and rules exclude each other"),
        ("winner: null", "events: [{card: junk}]", "expect.events[0]: an expected event has at least the field type"),
        ("winner: null", "events: [{type: take, card: magnet}]", "expect.events[0].card: unknown card 'magnet'"),
        ("winner: null", "events: [{type: refill, new: [magnet]}]", "expect.events[0].new: unknown card 'magnet'"),
        ("winner: null", "events: [{type: copy, copied: magnt}]", "expect.events[0].copied: unknown card 'magnt'"),
        ("winner: null", "events: [{type: refill, market: [null, magnet]}]", "events[0].market: unknown card 'magnet'"),
        ("winner: null", "events: [{type: deal, sets: [foo]}]", "expect.events[0].sets: unknown set 'foo'"),
        ("winner: null", "events: [{type: take, zone: foo}]", "expect.events[0].zone: unknown zone 'foo'"),
        ("winner: null", "events: [{type: take, zone: deck_C}]", "expect.events[0].zone: unknown zone 'deck_C'"),
        ("winner: null", "events: [{type: market, source: slot_5}]", "expect.events[0].source: unknown zone 'slot_5'"),
        ("winner: null", "winner: A\n  winner: B", "the key 'winner' stands twice"),
        ("winner: null", "winner: [", "not valid YAML"),
    ],
    ids=lambda value: str(value)[:40],
)  # fmt: skip
def test_a_broken_file_is_one_sentence(tmp_path: Path, old: str, new: str, words: str) -> None:
    assert EXAMPLE.count(old) >= 1
    path = write(tmp_path, EXAMPLE.replace(old, new, 1))
    with pytest.raises(ScenarioFileError) as caught:
        check_paths([path])
    sentence = str(caught.value)
    assert words in sentence
    assert sentence.startswith(str(path))
    assert "\n" not in sentence
    assert sentence.endswith(".")


def test_a_broken_document_is_counted_and_named(tmp_path: Path) -> None:
    path = write(tmp_path, ROLLS + "---\n" + EXAMPLE.replace("seat: A", "seat: X", 1))
    with pytest.raises(ScenarioFileError, match=r"document 2 \(EX-MKT-03\): steps\[0\]\.seat must be 'A'"):
        load_file(path)


@pytest.mark.parametrize(
    ("text", "words"),
    [("", "holds no scenario"), ("---\n---\n", "holds no scenario"), ("- a\n", "document 1: a scenario is a mapping")],
)
def test_a_file_without_a_scenario(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(ScenarioFileError, match=words):
        load_file(write(tmp_path, text))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"cannot read the scenario file .*: No such file or directory"):
        check_paths([tmp_path / "none.yaml"])
    with pytest.raises(UserError, match="holds no scenario file"):
        check_paths([tmp_path])
    (tmp_path / "latin.yaml").write_bytes(b"name: \xe9\xff")
    with pytest.raises(UserError, match="not a text file in UTF-8"):
        check_paths([tmp_path])


def test_text_of_a_file_is_shown_without_control_characters(tmp_path: Path) -> None:
    text = EXAMPLE.replace("name: EX-MKT-03", 'name: "a\\e[31mb\\nc"').replace("junk_pile: 4", "junk_pile: 3")
    line = check_paths([write(tmp_path, text)]).lines[0]
    assert "ab c: end: junk_pile" in line
    assert "\x1b" not in line


def test_what_is_not_stated_is_dealt_by_the_seed() -> None:
    sizes = {"A": {"hand_size": 5, "deck_size": 5}, "B": {"hand_size": 5, "deck_size": 5}, "junk_pile": 6}
    assert run(Scenario.model_validate({"name": "deal", "expect": sizes})) == ()
    assert Scenario.model_validate({"name": "deal"}).position()["state"] == {}
