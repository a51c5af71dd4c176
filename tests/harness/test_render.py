"""States, events, decisions and proposals as text."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from harness import prompts, render
from harness.render_menu import Menu, menu
from harness.render_usage import asked, usable

SEEN: dict[str, Any] = {
    "seat": "A",
    "edition": "classic",
    "sets": ["macaws", "pandas", "chameleons"],
    "round": 7,
    "turn": "A",
    "decision": {"seat": "A", "kind": "action", "asks": "", "card": None, "bonus": False},
    "next_stack": 3,
    "hand_limit": 6,
    "hand": [
        {"card": "junk", "value": 1},
        {"card": "shattered_relic", "value": 4},
        {"card": "junk", "value": 1},
        {"card": "reflection", "value": 2},
        {"card": "market_discovery", "value": 4, "ability": "unused"},
        {"card": "seeing_doubles", "value": 4, "copies": "market_discovery", "ability": "used"},
    ],
    "market": [
        {"slot": "slot_0", "card": "spyglass", "value": 4, "cost": 4},
        {"slot": "slot_1", "card": "cookies", "value": 2, "cost": 3},
        None,
        {"slot": "slot_3", "card": "junk", "value": 1, "cost": 4},
        None,
    ],
    "market_deck_size": 1,
    "market_discard": ["swift_broker", "trendsetting"],
    "junk_pile": 7,
    "seats": {
        "A": {
            "hand_size": 6, "deck_size": 4, "discard": ["junk", "junk", "loyal_partner"],
            "stall": [["swift_broker"], ["prepaid_good"]], "in_play": [], "forfeited": False,
        },
        "B": {
            "hand_size": 5, "deck_size": 3, "discard": ["junk", "prepaid_good"], "stall": [],
            "in_play": ["nuisance"], "forfeited": True,
        },
    },
    "offered": ["cookies", "junk"],
    "known": [
        {"zone": "deck_A", "card": "junk", "position": 0},
        {"zone": "deck_A", "card": "cookies", "position": 2},
        {"zone": "hand_B", "card": "cookies"},
    ],
    "pools": {
        "A": {"cards": ["junk", "junk", "cookies", "shattered_relic"], "unknown": 0},
        "B": {"cards": ["cookies", "junk"], "unknown": 6},
        "market_deck": {"cards": [], "unknown": 1},
    },
    "unlocated": ["special_offer"],
}  # fmt: skip

STATE = """\
You are seat A. Round 7, your turn. Your next stack: 3. Your hand limit: 6.
Your hand, 6 cards, values in all 16:
- junk x2: value 1, junk
- shattered_relic: value 4 (printed 3), macaws, technique+
- reflection: value 2, chameleons, passive
- market_discovery: value 4, pandas, passive, ability unused
- seeing_doubles: value 4 (printed 5), chameleons, passive, now a copy of market_discovery, ability used
Market:
- slot_0: spyglass, macaws, value 4, cost 4
- slot_1: cookies, macaws, value 2, cost 3
- slot_2: empty
- slot_3: junk, value 1, cost 4
- slot_4: empty
Market deck: 1 card. Junk pile: 7. Piles are listed bottom to top. Market discard: swift_broker, trendsetting.
A (you): deck 4, discard pile: junk x2, loyal_partner; stacks: 1 = swift_broker, 2 = prepaid_good.
B: hand 5, deck 3, discard pile: junk, prepaid_good; in play: nuisance; stacks: none; has given up.
You know: junk on top of A's deck; cookies as card 3 from the top of A's deck; cookies in B's hand.
In your deck: junk x2, cookies, shattered_relic.
In B's hand and deck together: cookies, junk and 6 unknown.
In the market deck: 1 unknown.
Among the unknown ones: special_offer.
Offered to you now: cookies, junk."""


def seen(**changes: Any) -> dict[str, Any]:
    return {**copy.deepcopy(SEEN), **changes}


def test_a_state_is_told_whole() -> None:
    assert render.observation(SEEN) == STATE


def test_a_state_without_secrets_has_no_lines_for_them() -> None:
    text = render.observation(seen(known=[], unlocated=[], offered=[], pools={}))
    assert "You know" not in text
    assert "unknown" not in text
    assert "Offered" not in text


def test_copies_of_unlike_value_keep_their_names() -> None:
    hand = [
        {"card": "bold_haggler#1", "value": 4, "ability": "used"},
        {"card": "bold_haggler#2", "value": 1, "ability": "unused"},
    ]
    text = render.observation(seen(hand=hand, sets=["ocelots"]))
    assert "- bold_haggler#1: value 4 (printed 1), ocelots, passive, ability used\n" in text
    assert "- bold_haggler#2: value 1, ocelots, passive, ability unused\n" in text


PURCHASE = {
    "type": "market", "seat": "B", "source": "slot_1", "card": "cookies", "cost": 3, "payment": ["junk"] * 3,
}  # fmt: skip


@pytest.mark.parametrize(
    ("happened", "line"),
    [
        ({"type": "turn", "seat": "B", "round": 3}, "B: turn begins (round 3)"),
        (PURCHASE, "B buys cookies from slot_1 (cost 3) with junk x3"),
        ({**PURCHASE, "gold": 0}, "B buys cookies from slot_1 (cost 3) with junk x3"),
        ({**PURCHASE, "payment": ["junk"], "gold": 2}, "B buys cookies from slot_1 (cost 3) with junk and 2 gold"),
        ({**PURCHASE, "payment": [], "gold": 3}, "B buys cookies from slot_1 (cost 3) with 3 gold"),
        ({**PURCHASE, "payment": [], "cost": 0}, "B buys cookies from slot_1 (cost 0) for nothing"),
        ({"type": "ban", "seat": "B", "set": "pandas"}, "B bans pandas"),
        ({"type": "pick", "seat": "A", "set": "macaws"}, "A picks macaws"),
        ({"type": "deal", "seat": "A", "drawn": ["ocelots"], "sets": ["macaws", "ocelots"]},
         "the cards are dealt; drawn at random: ocelots; the sets in play: macaws, ocelots"),
        ({"type": "draw", "seat": "B", "count": 2}, "B draws 2"),
        ({"type": "draw", "seat": "A", "count": 2, "cards": ["junk", "cookies"]}, "A draws 2: junk, cookies"),
        ({"type": "take", "seat": "A", "zone": "hand_B"}, "A takes a card from B's hand"),
        ({"type": "take", "seat": "A", "zone": "hand_B", "card": "junk"}, "A takes junk from B's hand"),
        ({"type": "look", "seat": "B", "zone": "market_deck", "count": 3}, "B looks at the top 3 of the market deck"),
        ({"type": "shuffle", "seat": "B", "zone": "deck_B", "count": 9},
         "B's deck is made anew from its discard pile (9 cards shuffled)"),
        ({"type": "shuffle", "seat": "B", "zone": "deck_B", "count": 1},
         "B's deck is made anew from its discard pile (1 card shuffled)"),
        ({"type": "refill", "seat": "B", "market": ["cookies", None]},
         "market refilled (slot_0 first): cookies, empty"),
        ({"type": "value", "seat": "A", "add": 1}, "each card A uses this turn counts 1 more"),
        ({"type": "value", "seat": "A", "card": "cookies", "value": 5}, "cookies of A has value 5 this turn"),
        ({"type": "inventory", "seat": "A", "cards": []}, "A takes an inventory action: discards nothing"),
        ({"type": "eclipse", "seat": "A", "cards": ["junk"], "odd": 1}, 'A: eclipse cards ["junk"], odd 1'),
        ({"type": "draw", "seat": "A"}, "A: draw"),
        ({"type": "take", "seat": "A", "zone": "x\x1b[2J\ny", "card": "[b]"}, "A takes [b] from x y"),
    ],
)  # fmt: skip
def test_events_are_one_line(happened: dict[str, Any], line: str) -> None:
    assert render.event(happened) == line


def test_history_leaves_out_what_a_purchase_has_told() -> None:
    events: list[dict[str, Any]] = [
        PURCHASE,
        {"type": "throw_away", "seat": "B", "cards": ["junk"]},
        {"type": "discard", "seat": "B", "cards": ["junk", "junk"]},
        {"type": "turn", "seat": "A", "round": 2},
        {"type": "discard", "seat": "A", "cards": ["junk"]},
    ]  # fmt: skip
    assert render.history(events) == (
        "- B buys cookies from slot_1 (cost 3) with junk x3\n"
        "- B throws away junk\n"
        "- A: turn begins (round 2)\n"
        "- A discards junk"
    )
    assert render.history([]) == ""


@pytest.mark.parametrize(
    ("asks", "part"),
    [("take", "spyglass: take one"), ("put_back", "spyglass: put"), ("something_new", "An effect asks you")],
)
def test_questions_of_effects(asks: str, part: str) -> None:
    text = render.decision({"seat": "A", "kind": "effect_choice", "asks": asks, "card": "spyglass", "bonus": False})
    assert text.startswith(part)


def test_bonus_actions_are_told_as_such() -> None:
    decision = {"seat": "A", "kind": "action", "asks": "", "card": None, "bonus": True}
    assert render.decision(decision).startswith("Choose your bonus action")
    assert "bonus" not in render.decision({**decision, "bonus": False})


@pytest.mark.parametrize(
    ("tool", "arguments", "line"),
    [
        ("market", {"source": "slot_0", "payment": ["junk", "junk", "cookies"]},
         "buy spyglass from slot_0 with junk, junk, cookies"),
        ("market", {"source": "slot_2", "payment": []}, "buy slot_2 for nothing"),
        ("market", {"source": "market_discard", "payment": ["market_discovery"]},
         "buy trendsetting from market_discard with market_discovery"),
        ("market", {"source": "slot_1", "payment": ["junk", "junk"], "throw_away": ["junk"]},
         "buy cookies from slot_1 with junk, junk, throwing away junk"),
        ("technique", {"card": "spyglass"}, "play spyglass"),
        ("technique", {"card": "rotten_food", "choices": {"cards": ["junk"], "opponents": ["B"], "slots": None}},
         "play rotten_food: junk; opponent B"),
        ("technique", {"card": "reflection", "choices": {"slots": ["slot_1"]},
                       "copies": [{"card": "reflection", "targets": ["discard_B:prepaid_good"]}]},
         "play reflection: cookies in slot_1; reflection as discard_B:prepaid_good"),
        ("technique", {"card": "acorn", "choices": {"stack": {"seat": "B", "number": 1, "card": "cookies"}}},
         "play acorn: cookies in stack 1 of B"),
        ("stall", {"cards": ["accordion"], "stack": 4, "adjust": [{"card": "accordion", "by": -1}]},
         "build stack 4: accordion, accordion counted -1"),
        ("stall", {"cards": ["nostalgic_item"], "from_discard": ["junk"]},
         "build stack: nostalgic_item, junk (from the discard pile: junk)"),
        ("inventory", {"cards": []}, "inventory: discard nothing"),
        ("inventory", {"cards": ["junk", "cookies"]}, "inventory: discard junk, cookies"),
        ("ability", {"card": "bold_haggler"}, "use the ability of bold_haggler"),
        ("ability", {"card": "reflection", "copies": [{"card": "reflection", "targets": []}]},
         "use the ability of reflection: reflection without a target"),
        ("choose", {"choices": {"value": 3}}, "choose: value 3"),
        ("skip", {}, "skip: build no more stack"),
        ("end_turn", {}, "end the turn"),
    ],
)  # fmt: skip
def test_proposals_are_readable(tool: str, arguments: dict[str, Any], line: str) -> None:
    assert render.proposal({"tool": tool, "arguments": arguments}, SEEN) == line


def test_a_purchase_says_the_gold_it_takes() -> None:
    seen = {**SEEN, "variant": "tournament"}

    def told(source: str, *payment: str, **more: Any) -> str:
        return render.proposal({"tool": "market", "arguments": {"source": source, "payment": payment, **more}}, seen)

    assert told("slot_1", "junk") == "buy cookies from slot_1 with junk and 2 gold"
    assert told("slot_1") == "buy cookies from slot_1 with 3 gold"
    assert told("slot_0", "market_discovery") == "buy spyglass from slot_0 with market_discovery"
    assert told("market_discard", "market_discovery").endswith("market_discard with market_discovery and 1 gold")
    copies = [{"card": "reflection", "targets": ["discard_B:prepaid_good"]}]
    assert "gold" not in told("slot_0", "reflection", copies=copies)
    assert "gold" not in told("slot_2", "junk")


@pytest.mark.parametrize(
    "stated",
    [
        {"tool": "trade", "arguments": {"with": "Bob\x1b[2J"}},
        {"tool": "market", "arguments": "slot_0"},
        {"tool": "market", "arguments": {"payment": 3}},
        {"tool": "technique", "arguments": {"card": "acorn", "choices": "B"}},
        {"tool": "technique", "arguments": {"card": "acorn", "choices": {"colour": ["red"]}}},
        {"tool": "stall", "arguments": {"cards": ["a"], "adjust": [3]}},
        {"tool": None},
        {},
    ],
)
def test_what_cannot_be_read_is_quoted(stated: dict[str, Any]) -> None:
    line = render.proposal(stated, SEEN)
    assert line.startswith("{")
    assert "\x1b" not in line


def legal(payments: int = 30) -> list[dict[str, Any]]:
    def act(tool: str, **arguments: Any) -> dict[str, Any]:
        return {"tool": tool, "arguments": arguments}

    paid = [["junk"] * (count % 7) + ["cookies"] * (count // 7) for count in range(1, payments + 1)]
    actions = [act("market", source=source, payment=cards) for source in ("slot_0", "slot_1") for cards in paid]
    actions += [act("technique", card="shattered_relic", choices={"cards": [card]}) for card in ("junk", "reflection")]
    return [*actions, act("inventory", cards=[])]


def test_a_short_menu_lists_every_action() -> None:
    actions = legal(2)
    shown = menu(actions, SEEN, limit=7)
    assert shown.lines == tuple(render.proposal(action, SEEN) for action in actions)
    assert [shown.chosen(entry) for entry in range(len(actions))] == list(range(len(actions)))
    with pytest.raises(IndexError):
        shown.chosen(7)
    with pytest.raises(IndexError):
        shown.chosen(-1)


def test_a_long_menu_goes_by_kind_then_card_then_details() -> None:
    actions = legal()
    kinds = menu(actions, SEEN, limit=10)
    assert kinds.lines[:2] == ("market: buy a card (60 ways)", "technique: play a card (2 ways)")
    assert kinds.lines[2:] == ("inventory: discard nothing",)
    assert kinds.chosen(0) is None
    assert kinds.chosen(2) == 62
    slots = menu(actions, SEEN, limit=10, within=kinds.group(0))
    assert slots.lines == ("spyglass from slot_0 (30 ways)", "cookies from slot_1 (30 ways)")
    sizes = menu(actions, SEEN, limit=10, within=slots.group(1))
    assert sizes.lines[0] == "1 card (2 ways)"
    assert len(sizes.lines) == 9
    techniques = menu(actions, SEEN, limit=10, within=kinds.group(1))
    assert techniques.lines == ("play shattered_relic: junk", "play shattered_relic: reflection")


@pytest.mark.parametrize("limit", [2, 3, 7, 40])
def test_every_action_can_be_reached_and_no_menu_is_too_long(limit: int) -> None:
    actions = legal()
    reached: list[int] = []

    def walk(shown: Menu, depth: int) -> None:
        assert 1 < len(shown.lines) == len(shown.groups) <= limit
        assert depth < 12
        for entry in range(len(shown.lines)):
            index = shown.chosen(entry)
            if index is None:
                walk(menu(actions, SEEN, limit, within=shown.group(entry)), depth + 1)
            else:
                reached.append(index)
                assert shown.lines[entry] == render.proposal(actions[index], SEEN)

    walk(menu(actions, SEEN, limit), 0)
    assert sorted(reached) == list(range(len(actions)))


def test_the_use_of_every_card_in_hand_is_explained() -> None:
    lines = usable(prompts.load("en"), SEEN, "L2")
    text = "\n".join(lines)
    assert "shattered_relic: as a technique: choices.cards = exactly 1 other card of your hand." in lines
    assert 'reflection: copies = [{"card": "reflection", "targets": ["discard_SEAT:CARD"]}].' in lines
    assert "prepaid_good (as a copy): as a technique: choices.slots = exactly 1 occupied slot." in lines
    assert "market_discovery: ability: no choices; with market_discovery in payment, source may be" in text
    assert "seeing_doubles (now a copy of market_discovery): ability: no choices" in text
    assert "junk:" not in text
    assert not any(line.startswith("seeing_doubles:") for line in lines)


def test_a_bonus_stack_explains_only_what_it_allows() -> None:
    decision = {"seat": "A", "kind": "bonus_stack", "asks": "", "card": None, "bonus": False}
    hand = [{"card": "accordion", "value": 5}, {"card": "shattered_relic", "value": 3}]
    lines = usable(prompts.load("en"), seen(decision=decision, hand=hand), "L1")
    assert len(lines) == 1
    assert lines[0].startswith("accordion: adjust = ")


def test_questions_say_which_field_answers_them() -> None:
    texts = prompts.load("en")
    decision = {"kind": "effect_choice", "asks": "guess", "card": "blindfold", "bonus": False}
    assert asked(texts, decision, "L2") == "choices.value = your guess, an integer from 0 to 20"
    assert asked(texts, decision, "L1").startswith("value = ")
    assert asked(texts, {**decision, "kind": "action"}, "L2") == ""
    assert usable(texts, seen(decision={**decision, "seat": "A"}), "L2") == []
