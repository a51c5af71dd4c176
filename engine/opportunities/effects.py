"""Illegal examples of effects: techniques that are none, and wrong answers to the questions effects ask.

What is wrong in an answer is the business of the question (`Question.wrong`), here it is put into a call. All else
in the call is right, so that nothing but the answer is to blame.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.checks.technique import stray_code
from engine.decisions import pending_step
from engine.frames import Wrong, fields_of
from engine.opportunities.spot import Call, Spot, answer_of
from engine.references import Reader
from engine.tables import SLUGS
from engine.types import JSON, JUNK, SEATS

Claims = dict[str, list[Call]]
"""Calls by the code they are to break."""


def no_techniques(spot: Spot) -> Iterator[Call]:
    """`not_a_technique`: every card as anything that is none; the judge passes over those that are."""
    if "technique" in spot.tools:
        for piece in spot.in_hand:
            yield spot.used("technique", piece)


def wrong_answers(spot: Spot) -> Claims:
    """Every wrong answer to a question that can be answered in a call at this decision."""
    claims: Claims = {}
    if "choose" in spot.tools:
        _pending(spot, claims)
    seen = set()
    for tool, piece, program in spot.effects():
        likeness = (tool, piece.identity.kind, piece.identity.used)
        if likeness in seen:
            continue
        seen.add(likeness)
        frame = spot.frame(tool, piece)
        right = answer_of(spot.g, frame, program)
        for question in program.questions:
            rest = {field: one for field, one in right.items() if field not in fields_of(question)}
            for code, fields in question.wrong(spot.g, frame):
                call = spot.used(tool, piece, choices={**rest, **fields})
                claims.setdefault(code, []).append(call)
        used = {field for question in program.questions for field in fields_of(question)}
        reader = Reader(spot.g, spot.seat)
        for field, value in _spare_fields(spot):
            if field not in used:
                choices = {**right, field: value}
                code = stray_code(reader, program, frame, field, dict(choices))
                claims.setdefault(code, []).append(spot.used(tool, piece, choices=choices))
    if "ability" in spot.tools:
        _abilities_with_choices(spot, claims)
    return claims


def _pending(spot: Spot, claims: Claims) -> None:
    """Wrong answers to the question an effect is waiting for."""
    step = pending_step(spot.g)
    if step is None:
        return
    question = step.question
    frame = spot.g.frames[-1]
    found: list[Wrong] = list(question.wrong(spot.g, frame))
    for answer in question.options(spot.g, frame)[:1]:
        right = question.spell(spot.g, frame, answer)
        spare = [pair for pair in _spare_fields(spot) if pair[0] not in fields_of(question)]
        found += [("superfluous_choice", {**right, field: value}) for field, value in spare]
    for code, choices in found:
        claims.setdefault(code, []).append(("choose", {"choices": choices}))


def _abilities_with_choices(spot: Spot, claims: Claims) -> None:
    """An ability that asks nothing is given a choice, whether the card has an ability or not."""
    for card in spot.hand:
        for field, value in _spare_fields(spot):
            call: Call = ("ability", {"card": spot.names[card], "choices": {field: value}})
            claims.setdefault("superfluous_choice", []).append(call)
    if len(spot.copying) == len(spot.hand):  # no bare name will do where every card has to be told what it copies
        for piece in spot.in_hand:
            for field, value in _spare_fields(spot):
                call = spot.used("ability", piece, choices={field: value})
                claims.setdefault("superfluous_choice", []).append(call)


def _spare_fields(spot: Spot) -> list[tuple[str, JSON]]:
    """Something for every field of `choices`, to be given where it is not used."""
    junk = SLUGS[JUNK]
    other = SEATS[(spot.seat + 1) % spot.g.players]
    return [
        ("value", 1),
        ("opponents", [other]),
        ("cards", [junk]),
        ("slots", ["slot_0"]),
        ("option", "yes"),
        ("stack", {"seat": other, "number": 1, "card": junk}),
    ]
