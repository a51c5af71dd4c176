"""The one entry: a proposal becomes an action, or the violations that stand against it."""

from __future__ import annotations

from typing import Final

from engine.actions import Action
from engine.checks.ability import read_ability
from engine.checks.authority import authority_faults
from engine.checks.form import Arguments, read_form
from engine.checks.market import read_market
from engine.checks.stall import read_stall
from engine.checks.technique import choices_of, read_technique
from engine.codes import Violation, ranked
from engine.decisions import decision_of, pending_step
from engine.frames import fields_of
from engine.references import Reader
from engine.state import State
from engine.types import CHOOSE_TOOL, END_TURN_TOOL, INVENTORY_TOOL, SKIP_TOOL, Seat, in_play_zone


def judge(g: State, seat: Seat, tool: object, arguments: object) -> Action | tuple[Violation, ...]:
    """The action a proposal stands for, or everything that can be established against it, primary first (R-ERR-01)."""
    form = read_form(tool, arguments)
    if isinstance(form, Violation):
        return (form,)
    name = str(tool)
    faults = authority_faults(g, decision_of(g), seat, name)
    if faults:
        return tuple(faults)
    reader = Reader(g, seat)
    action = _READERS[name](reader, form)
    if reader.faults or action is None:
        return ranked(reader.faults)
    return action


def _read_inventory(reader: Reader, arguments: Arguments) -> Action | None:
    """Any number of hand cards, also none: so a bonus action is declined (R-INV-01, R-INV-02, R-TRN-07, R-TRN-08)."""
    named = arguments["cards"]
    cards = reader.cards(reader.g.hand(reader.seat), named if isinstance(named, list) else [], "hand")
    return Action(INVENTORY_TOOL, cards=tuple(cards))


def _read_choose(reader: Reader, arguments: Arguments) -> Action | None:
    """The answer to the pending question of an effect."""
    step = pending_step(reader.g)
    if step is None:
        return None
    frame = reader.g.frames[-1]
    choices = choices_of(arguments)
    if frame.card in reader.g.zones[in_play_zone(frame.actor)]:
        reader.playing = frame.card
    answer = step.question.read(reader, frame, choices)
    for field in choices:
        if field not in fields_of(step.question):
            reader.blame("superfluous_choice", field=field)
    return None if answer is None else Action(CHOOSE_TOOL, answers=(answer,))


def _read_skip(reader: Reader, arguments: Arguments) -> Action | None:
    return Action(SKIP_TOOL)


def _read_end_turn(reader: Reader, arguments: Arguments) -> Action | None:
    return Action(END_TURN_TOOL)


_READERS: Final = {
    "market": read_market,
    "technique": read_technique,
    "stall": read_stall,
    "inventory": _read_inventory,
    "ability": read_ability,
    "choose": _read_choose,
    "skip": _read_skip,
    "end_turn": _read_end_turn,
}
