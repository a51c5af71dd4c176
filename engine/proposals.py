"""An action written as a proposal in the canonical form: what is not given is left out (contract section 1)."""

from __future__ import annotations

from typing import Final

from engine.actions import Action
from engine.cards._define import PROGRAMS
from engine.checks.copies import spell_chain
from engine.decisions import pending_step
from engine.frames import ABILITY_PROGRAMS, Question
from engine.moves import name
from engine.references import of_kind
from engine.state import Frame, State
from engine.types import (
    ABILITY_TOOL,
    CHOOSE_TOOL,
    FROM_MARKET_DISCARD,
    INVENTORY_TOOL,
    JSON,
    KIND_MASK,
    MARKET_TOOL,
    STALL_TOOL,
    TECHNIQUE_TOOL,
    TOOLS,
    Answer,
    Card,
    Seat,
)
from engine.values import plain
from engine.verbs.spelling import spell_card, spell_hand

Proposal = dict[str, JSON]
"""{"tool": name, "arguments": {...}}"""


def proposal_of(g: State, action: Action) -> Proposal:
    """The proposal that stands for an action which is legal now."""
    arguments = _ARGUMENTS[action.tool](g, action) if action.tool in _ARGUMENTS else {}
    if action.copies:
        copies: list[JSON] = []
        for card, chain in action.copies:
            targets: list[JSON] = list(spell_chain(g, g.turn, chain))
            copies.append({"card": _spell_used(g, g.turn, card), "targets": targets})
        arguments["copies"] = copies
    return {"tool": TOOLS[action.tool], "arguments": arguments}


def _spell_used(g: State, seat: Seat, card: Card) -> str:
    return spell_card(g, seat, card) if card in g.hand(seat) else name(card)


def _market(g: State, action: Action) -> dict[str, JSON]:
    source = "market_discard" if action.source == FROM_MARKET_DISCARD else f"slot_{action.source}"
    arguments: dict[str, JSON] = {"source": source, "payment": spell_hand(g, g.turn, action.cards)}
    if action.extra:
        arguments["throw_away"] = [name(card) for card in action.extra]
    return arguments


def _technique(g: State, action: Action) -> dict[str, JSON]:
    seat = g.turn
    kind = played_kind(g, action)
    arguments: dict[str, JSON] = {"card": spell_card(g, seat, action.card)}
    choices = _choices(g, PROGRAMS[g.edition][kind].questions, Frame(kind, seat, action.card), action.answers)
    if choices:
        arguments["choices"] = choices
    return arguments


def played_kind(g: State, action: Action) -> int:
    """The kind a technique is played as: its card's, or that of the card it copies."""
    for card, chain in action.copies:
        if card == action.card:
            target = chain[-1][1]
            return plain(g, target).kind
    return plain(g, action.card).kind


def _choices(g: State, questions: tuple[Question, ...], frame: Frame, answers: tuple[Answer, ...]) -> dict[str, JSON]:
    choices: dict[str, JSON] = {}
    for question, answer in zip(questions, answers, strict=True):
        if answer:
            choices.update(question.spell(g, frame, answer))
    return choices


def _stall(g: State, action: Action) -> dict[str, JSON]:
    arguments: dict[str, JSON] = {"cards": spell_hand(g, g.turn, action.cards)}
    if action.extra:
        pile = g.discard(g.turn)
        written: list[JSON] = []
        for card in action.extra:
            first = [one for one in of_kind(pile, card & KIND_MASK) if one in action.extra or one == card]
            bare = of_kind(pile, card & KIND_MASK)[: len(first)] == first
            number = of_kind(pile, card & KIND_MASK).index(card) + 1
            written.append(name(card) if bare else f"{name(card)}#{number}")
        arguments["from_discard"] = written
    if action.adjust:
        arguments["adjust"] = [{"card": name(card), "by": by} for card, by in action.adjust]
    return arguments


def _inventory(g: State, action: Action) -> dict[str, JSON]:
    return {"cards": spell_hand(g, g.turn, action.cards)}


def _ability(g: State, action: Action) -> dict[str, JSON]:
    arguments: dict[str, JSON] = {"card": spell_card(g, g.turn, action.card)}
    if action.answers:
        number = ABILITY_PROGRAMS + played_kind(g, action)
        frame = Frame(number, g.turn, action.card)
        arguments["choices"] = _choices(g, PROGRAMS[g.edition][number].questions, frame, action.answers)
    return arguments


def _choose(g: State, action: Action) -> dict[str, JSON]:
    step = pending_step(g)
    choices: dict[str, JSON] = {}
    if step is not None:
        choices = step.question.spell(g, g.frames[-1], action.answers[0])
    return {"choices": choices}


_ARGUMENTS: Final = {
    MARKET_TOOL: _market,
    TECHNIQUE_TOOL: _technique,
    STALL_TOOL: _stall,
    INVENTORY_TOOL: _inventory,
    ABILITY_TOOL: _ability,
    CHOOSE_TOOL: _choose,
}
