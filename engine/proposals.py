"""An action written as a proposal in the canonical form: what is not given is left out (contract section 1)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.actions import Action
from engine.cards._define import PROGRAMS
from engine.checks.copies import spell_chain
from engine.decisions import pending_step
from engine.frames import ABILITY_PROGRAMS, Question
from engine.moves import name
from engine.references import Choices, numbered_name, of_kind
from engine.state import Frame, State
from engine.subjects import card_played, card_used, counted_for_adjust
from engine.tables import ACCORDION, SLUGS
from engine.types import (
    ABILITY_TOOL,
    CHOOSE_TOOL,
    FROM_MARKET_DISCARD,
    INVENTORY_TOOL,
    JSON,
    JUNK,
    KIND_MASK,
    MARKET_TOOL,
    STALL_TOOL,
    TECHNIQUE_TOOL,
    TOOLS,
    Answer,
    Card,
    Kind,
    Seat,
)
from engine.values import plain
from engine.verbs.spelling import spell_card, spell_cards, spell_hand

Proposal = dict[str, JSON]
"""{"tool": name, "arguments": {...}}"""


def proposal_of(g: State, action: Action) -> Proposal:
    """The proposal that stands for an action which is legal now; read again it gives the same action."""
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
        offered = sorted(action.cards, key=lambda card: used_kind(g, action, card) != JUNK)
        arguments["throw_away"] = spell_cards(g.hand(g.turn), action.extra, offered)
    return arguments


def _technique(g: State, action: Action) -> dict[str, JSON]:
    seat = g.turn
    kind = used_kind(g, action, action.card)
    choices = _choices(g, PROGRAMS[g.edition][kind].questions, Frame(kind, seat, action.card), action.answers)
    return _with_subject(g, action, choices, card_played)


def _with_subject(
    g: State, action: Action, choices: dict[str, JSON], means: Callable[[State, Seat, Kind, Choices], Card]
) -> dict[str, JSON]:
    """The card used and the choices; `means`: which copy a bare slug is, given what the choices name."""
    seat, card = g.turn, action.card
    kind = card & KIND_MASK
    hand = g.hand(seat)
    written = spell_card(g, seat, card)
    if written == SLUGS[kind] and len(of_kind(hand, kind)) > 1 and means(g, seat, kind, {**choices}) != card:
        written = numbered_name(hand, card)
    return {"card": written, "choices": choices} if choices else {"card": written}


def used_kind(g: State, action: Action, card: Card) -> Kind:
    """What a card counts as in an action: as itself, or as the card it copies."""
    for copying, chain in action.copies:
        if copying == card:
            return plain(g, chain[-1][1]).kind
    return plain(g, card).kind


def _choices(g: State, questions: tuple[Question, ...], frame: Frame, answers: tuple[Answer, ...]) -> dict[str, JSON]:
    choices: dict[str, JSON] = {}
    for question, answer in zip(questions, answers, strict=True):
        if answer:
            choices.update(question.spell(g, frame, answer))
    return choices


def _stall(g: State, action: Action) -> dict[str, JSON]:
    arguments: dict[str, JSON] = {"cards": spell_hand(g, g.turn, action.cards)}
    if action.extra:
        arguments["from_discard"] = spell_cards(g.discard(g.turn), action.extra)
    if action.adjust:
        accordions = [card for card in action.cards + action.extra if used_kind(g, action, card) == ACCORDION]
        adjusted = [card for card, _ in action.adjust]
        names = spell_cards(counted_for_adjust(g, g.turn, action.cards), adjusted, accordions)
        arguments["adjust"] = [{"card": one, "by": by} for one, (_, by) in zip(names, action.adjust, strict=True)]
    return arguments


def _inventory(g: State, action: Action) -> dict[str, JSON]:
    return {"cards": spell_hand(g, g.turn, action.cards)}


def _ability(g: State, action: Action) -> dict[str, JSON]:
    choices: dict[str, JSON] = {}
    if action.answers:
        number = ABILITY_PROGRAMS + used_kind(g, action, action.card)
        frame = Frame(number, g.turn, action.card)
        choices = _choices(g, PROGRAMS[g.edition][number].questions, frame, action.answers)
    return _with_subject(g, action, choices, card_used)


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
