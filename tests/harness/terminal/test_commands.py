"""What typed lines mean, in both languages: the rulebook's moves in words."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine import EDITIONS, Game
from harness import prompts
from harness.agents.base import Proposal
from harness.terminal.commands import Said, understand
from harness.terminal.names import Unclear
from harness.terminal.spelling import spell
from harness.terminal.vocabulary import vocabulary

LANGUAGES = prompts.languages()
POSITION: dict[str, Any] = {
    "edition": "classic",
    "players": 3,
    "sets": ["macaws", "pandas", "raccoons", "squirrels"],
    "state": {
        "market": ["spyglass", "cookies", "nuisance", "cookies", "flashy_show"],
        "market_discard": ["acorn"],
        "A": {
            "hand": ["swift_broker", "shattered_relic", "junk", "junk", "dirty_exchange", "prepaid_good", "acorn"],
            "discard": ["accordion", "nostalgic_item"],
        },
        "B": {"stall": [["loyal_partner"], ["cookies"]]},
    },
}


def said(line: str, language: str = "en", position: dict[str, Any] = POSITION) -> Said:
    game = Game.from_position(position)
    decision = game.decision
    assert decision is not None
    return understand(line, game.observe(decision.seat), decision._asdict(), prompts.load(language))


def states(line: str, language: str = "en") -> Proposal:
    proposal = said(line, language).proposal
    assert proposal is not None
    return proposal


def asked_back(line: str, language: str = "en") -> str:
    with pytest.raises(Unclear) as unclear:
        said(line, language)
    return str(unclear.value)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", EDITIONS)
def test_every_legal_action_can_be_typed(edition: str, language: str) -> None:
    texts = prompts.load(language)
    seen = set[str]()
    for seed in range(12):
        variant = "tournament" if seed % 6 == 0 else "standard"
        game = Game.new(players=2 + seed % 3, seed=seed, edition=edition, variant=variant)
        step = random.Random(seed)
        for _ in range(100):
            decision = game.decision
            if decision is None:
                break
            legal = game.legal
            observation = game.observe(decision.seat)
            for action in step.sample(legal, min(len(legal), 4)):
                proposal = game.proposal(action)
                line = spell(proposal, language)
                assert understand(line, observation, decision._asdict(), texts).proposal == proposal, line
                seen |= {str(proposal["tool"]), *proposal["arguments"]}  # type: ignore[misc]  # an object, always
            game.apply(step.choice(legal))
    assert {"market", "technique", "stall", "inventory", "ability", "choose"} <= seen
    assert "choices" in seen


@pytest.mark.parametrize(
    ("english", "portuguese", "tool", "arguments"),
    [
        ("buy 0 with shattered junk", "comprar 0 com shattered junk", "market",
         {"source": "slot_0", "payment": ["shattered_relic", "junk"]}),
        ("buy slot_2 with prepaid", "comprar slot 2 com prepaid", "market",
         {"source": "slot_2", "payment": ["prepaid_good"]}),
        ("Buy Spyglass with 2 junk and Swift Broker", "Comprar Spyglass com 2 junk e Swift Broker", "market",
         {"source": "slot_0", "payment": ["junk", "junk", "swift_broker"]}),
        ("buy discard with junk x2", "comprar descarte com junk x2", "market",
         {"source": "market_discard", "payment": ["junk", "junk"]}),
        ("buy 4 with nothing", "comprar 4 com nada", "market", {"source": "slot_4", "payment": []}),
        ("buy 4 with junk and 3 gold", "comprar 4 com junk e 3 ouro", "market",
         {"source": "slot_4", "payment": ["junk"]}),
        ("buy 0 with junk junk throwing junk", "comprar 0 com junk junk jogando fora junk", "market",
         {"source": "slot_0", "payment": ["junk", "junk"], "throw_away": ["junk"]}),
        ("buy spyglass from slot_0 with junk, junk", "comprar spyglass de slot_0 com junk, junk", "market",
         {"source": "slot_0", "payment": ["junk", "junk"]}),
        ("stack swift_broker cookies", "empilhar swift_broker cookies", "stall",
         {"cards": ["swift_broker", "cookies"]}),
        ("stack prepaid from discard accordion into 3", "empilhar prepaid do descarte accordion na 3", "stall",
         {"cards": ["prepaid_good"], "from_discard": ["accordion"], "stack": 3}),
        ("stack accordion counted accordion -1", "construir accordion contando accordion -1", "stall",
         {"cards": ["accordion"], "adjust": [{"card": "accordion", "by": -1}]}),
        ("inventory junk junk", "inventário junk junk", "inventory", {"cards": ["junk", "junk"]}),
        ("inventory nothing", "INVENTARIO NADA", "inventory", {"cards": []}),
        ("play swift", "jogar swift", "technique", {"card": "swift_broker"}),
        ("play shattered junk", "jogar shattered junk", "technique",
         {"card": "shattered_relic", "choices": {"cards": ["junk"]}}),
        ("play dirty b", "jogar dirty b", "technique", {"card": "dirty_exchange", "choices": {"opponents": ["B"]}}),
        ("play prepaid 3", "jogar prepaid 3", "technique", {"card": "prepaid_good", "choices": {"slots": ["slot_3"]}}),
        ("play acorn stack B 2 cookies", "jogar acorn pilha B 2 cookies", "technique",
         {"card": "acorn", "choices": {"stack": {"seat": "B", "number": 2, "card": "cookies"}}}),
        ("play spyglass", "jogar spyglass", "technique", {"card": "spyglass"}),
        ("use market_discovery", "usar market_discovery", "ability", {"card": "market_discovery"}),
        ("skip", "pular", "skip", {}),
        ("end", "encerrar", "end_turn", {}),
        ("choose cookies", "escolher cookies", "choose", {"choices": {"cards": ["cookies"]}}),
    ],
)  # fmt: skip
def test_a_move_in_words(english: str, portuguese: str, tool: str, arguments: dict[str, Any]) -> None:
    wanted = {"tool": tool, "arguments": arguments}
    assert states(english) == wanted
    assert states(portuguese, "pt-BR") == wanted
    assert states(english, "pt-BR") == wanted  # the English words are understood everywhere


def test_copies_are_told_by_zone_and_card() -> None:
    assert states("play swift as swift market:spy > hand:junk") == {
        "tool": "technique",
        "arguments": {
            "card": "swift_broker",
            "copies": [{"card": "swift_broker", "targets": ["market:spyglass", "hand:junk"]}],
        },
    }
    assert "put the card that copies it before it" in asked_back("play swift as market:spyglass")


def test_a_part_of_a_name_that_fits_several_cards_is_asked_back() -> None:
    assert asked_back("inventory s") == "'s' can be swift_broker or shattered_relic: which do you mean?"
    assert asked_back("buy cookies with junk") == "'cookies' can be slot_1 or slot_3: which do you mean?"
    assert asked_back("inventário s", "pt-BR") == "'s' pode ser swift_broker ou shattered_relic: qual delas?"


def test_a_card_there_is_not_is_asked_back_with_near_ones() -> None:
    assert asked_back("inventory junkk") == "No card here is called 'junkk'; did you mean junk?"
    assert asked_back("inventory xyzzy") == "No card here is called 'xyzzy'."


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("buy", "Which card? Name one slot"),
        ("buy 1 2 with junk", "Which card? Name one slot"),
        ("buy 1", "With which cards do you pay for cookies? As in: buy 1 with junk junk"),
        ("stack", "Which cards make the stack?"),
        ("stack cookies into this", "A number is wanted there."),
        ("stack accordion counted accordion much", "A number is wanted there."),
        ("inventory", "Which cards do you discard?"),
        ("play", "Which card?"),
        ("choose", "Choose what?"),
        ("play acorn stack B cookies", "A card in a stall takes a seat, the number of the stack and the card"),
        ("end of turn", "Nothing more belongs to that: 'of turn'."),
        ("sk", None),
        ("ru overpay", None),
        ("st", "'st' can be stack or state: which do you mean?"),
        ('{"tool": 1}', 'A proposal has "tool" (a text)'),
        ("{", "That is not JSON: it cannot be read from character 2 on."),
    ],
)
def test_what_a_line_leaves_open_is_asked_back_and_never_guessed(line: str, says: str | None) -> None:
    if says is None:
        assert said(line).command in ("propose", "rules")
    else:
        assert says in asked_back(line)


@pytest.mark.parametrize(
    ("line", "command", "text"),
    [
        ("", "menu", ""),
        ("12", "entry", "12"),
        ("why?", "why", ""),
        ("why buy 1 with junk", "why", "buy 1 with junk"),
        ("?", "help", ""),
        ("rules R-MKT-07", "rules", "R-MKT-07"),
        ("Cards Spyglass", "cards", "Spyglass"),
        ("cookies slot_1", "find", "cookies slot_1"),
        ("undo", "undo", ""),
        ("q", "quit", ""),
    ],
)
def test_questions_and_words_to_look_for(line: str, command: str, text: str) -> None:
    assert said(line) == Said(command, text)


def test_accents_and_case_do_not_matter() -> None:
    for line in ("porquê?", "PORQUE", "pq?"):
        assert said(line, "pt-BR").command == "why"


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_english_words_mean_the_same_in_every_language(language: str) -> None:
    english, other = vocabulary("en"), vocabulary(language)
    for table in ("commands", "keywords", "options"):
        assert getattr(english, table).items() <= getattr(other, table).items()


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_fits_a_small_terminal_and_names_every_command(language: str) -> None:
    texts = prompts.load(language)
    told = texts.terminal["help"]
    assert max(map(len, told.splitlines())) <= 80
    assert len(told.splitlines()) <= 22
    for name in set(vocabulary(language).commands.values()):
        assert vocabulary(language).spell(f"command_{name}") in told, name


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("por que", ""),
        ("Por  quê?", ""),
        ("por que 3", "3"),
        ("por que? comprar 1 com junk", "comprar 1 com junk"),
        ("porque comprar 1 com junk", "comprar 1 com junk"),
        ("por", ""),
    ],
)
def test_why_in_portuguese_may_be_two_words(line: str, text: str) -> None:
    assert said(line, "pt-BR") == Said("why", text)
