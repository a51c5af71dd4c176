"""Who may act, and with which kind of answer (R-DEC-01, R-ERR-05)."""

from __future__ import annotations

from typing import Final

from engine.codes import Violation, fault
from engine.decisions import Decision
from engine.state import BUILT, State
from engine.types import (
    DECISION_ACTION,
    DECISION_BONUS_STACK,
    DECISION_EFFECT,
    DECISION_END_OF_TURN,
    SEATS,
    Seat,
)

ALLOWED: Final = {
    DECISION_ACTION: ("market", "technique", "stall", "inventory", "ability"),
    DECISION_BONUS_STACK: ("stall", "ability", "skip"),
    DECISION_EFFECT: ("choose",),
    DECISION_END_OF_TURN: ("ability", "end_turn"),
}
"""The tools that answer each kind of decision: a free choice (R-STL-14), and none takes anything back (R-TRN-12)."""
_ACTIONS: Final = ("market", "technique", "stall", "inventory")


def authority_faults(g: State, decision: Decision | None, seat: Seat, tool: str) -> list[Violation]:
    """Why this seat cannot use this tool now, the primary reason first; empty if it can."""
    if decision is None:
        return [fault("game_over")]
    facts = {"seat": SEATS[seat], "deciding": decision.seat, "decision": decision.kind}
    if decision.seat != SEATS[seat]:
        faults = [fault("not_your_decision", **facts)]
        if g.previous in (seat, seat + BUILT) and tool in _ACTIONS:
            faults = [fault("second_action_without_bonus", tool=tool), *faults, *_second_stack(g, seat, tool)]
        return faults
    if tool in ALLOWED[decision.kind]:
        return []
    if tool in ("skip", "end_turn"):
        code = "pass_not_allowed" if decision.kind == DECISION_ACTION else "end_turn_not_available"
        return [fault(code, tool=tool, decision=decision.kind)]
    faults = [fault("wrong_decision_type", tool=tool, decision=decision.kind, allowed=list(ALLOWED[decision.kind]))]
    if tool in _ACTIONS and decision.kind in (DECISION_BONUS_STACK, DECISION_END_OF_TURN):
        faults += [fault("second_action_without_bonus", tool=tool), *_second_stack(g, seat, tool)]
    if tool == "ability" and decision.kind == DECISION_EFFECT:
        faults.append(fault("ability_wrong_timing"))
    return faults


def _second_stack(g: State, seat: Seat, tool: str) -> list[Violation]:
    """A stack after a Stall action that gives no further one; after another action it is no second one (R-ERR-04)."""
    return [fault("bonus_stack_not_available")] if tool == "stall" and g.previous == seat + BUILT else []
