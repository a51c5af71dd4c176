"""A game log played through the engine again, with every model's attempt held against its raw answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from engine import FormatFault, Game, form_of
from harness.audit.reading import Mode, Reading, read
from harness.audit.wires import bodies, hear, is_known
from harness.blobs import BlobStore
from harness.errors import UserError
from harness.judging import apply_decision
from harness.log import GameLog
from harness.playback import new_game
from harness.records import AttemptRecord, DecisionRecord, SeatRecord
from harness.render_menu import menu
from harness.text import clean_data, clean_line

CUT = 300
"""From this length on a name or a text may be cut in the log."""
DEEPEST = 32
"""Nesting beyond which the log does not keep what was stated."""


@dataclass(frozen=True)
class Disagreement:
    """One field of one attempt or decision in which the log and the audit differ; ``answer`` is the blob's digest."""

    game: str
    number: int
    seat: str
    attempt: int | None
    field: str
    logged: Any
    audited: Any
    answer: str | None = None
    excerpt: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return it as plain JSON, what models and servers wrote in it cleaned."""
        return {
            **vars(self),
            "logged": clean_data(self.logged, 200),
            "audited": clean_data(self.audited, 200),
        }


@dataclass(frozen=True)
class Checked:
    """One audited attempt: the class the log gives it, where the audit differs, and if there was an answer to read."""

    logged: str
    differences: tuple[Disagreement, ...]
    answered: bool = True


@dataclass(frozen=True)
class _Verdict:
    """What the audit makes of an answer: its class, and for readable ones what the engine says."""

    reading: Reading
    result: str
    code: str | None = None
    codes: tuple[str, ...] = ()
    proposal: Mapping[str, Any] | None = None
    eased: bool = False


def audit_game(log: GameLog, blobs: BlobStore) -> Iterator[Checked | Disagreement]:
    """Audit every attempt of a model in a log; disagreements outside attempts come by themselves.

    Stops with one where the log does not replay. Raises UserError for a game the engine cannot set up, and for a header
    that does not say how a model was asked.
    """
    header = log.header
    game = new_game(log)
    models = {seat: who for seat, who in header.seats.items() if "profile" in who.settings}
    tried: list[AttemptRecord] = []
    for record in log.records[1:]:
        if isinstance(record, AttemptRecord) and record.seat in models:
            if game.decision is None or game.decision.seat != record.seat:
                yield _outside(header.game, record, "seat", record.seat, game.decision and game.decision.seat)
                return
            if record.answer is not None and not _says_how(models[record.seat].settings):
                raise UserError(
                    f"{log.path}, line 1: the header does not say how the model of seat {record.seat} was asked "
                    "(level, api and output mode, at L0 menu limit and language): put back a copy of the file."
                )
            yield _attempt(header.game, record, game, models[record.seat], blobs)
            tried += [record] if record.result != "provider" else []
        elif isinstance(record, DecisionRecord):
            if record.seat in models:
                yield from _decision(header.game, record, tried, header.attempts, header.policy)
            tried = []
            if apply_decision(game, record) is None:
                yield _outside(header.game, record, "replay", "as recorded", "the engine plays it differently")
                return


def _says_how(settings: Mapping[str, Any]) -> bool:
    """Whether the settings of a model tell all that is needed to read its answers."""
    level, profile = settings.get("level"), settings["profile"]
    if level == "L0" and not (isinstance(settings.get("menu_limit"), int) and "language" in settings):
        return False
    told = level in ("L0", "L1", "L2", "L3", "L4", "L5") and isinstance(profile.get("output_mode"), str)
    return told and is_known(str(profile.get("api")))


def _outside(game: str, record: Any, field: str, logged: Any, audited: Any) -> Disagreement:
    return Disagreement(game, record.number, record.seat, getattr(record, "attempt", None), field, logged, audited)


def _decision(
    game: str, record: DecisionRecord, tried: Sequence[AttemptRecord], attempts: int, policy: str
) -> Iterator[Disagreement]:
    """Whether what was played is what was accepted, or the policy's after all attempts or where it was asked for."""
    accepted = [attempt.proposal for attempt in tried if attempt.result == "accepted"]
    if record.by == "agent":
        if accepted != [record.proposal]:
            yield _outside(game, record, "played", record.proposal, accepted)
    elif accepted or not (record.asked or (record.by == policy and len(tried) == attempts)):
        played = f"{record.by} after {len(tried)} attempts"
        yield _outside(game, record, "policy", played, f"{policy} after {attempts} failed attempts")


def _attempt(game: str, record: AttemptRecord, table: Game, who: SeatRecord, blobs: BlobStore) -> Checked:
    if record.answer is None:
        provider = record.result == "provider"
        missing = () if provider else (_outside(game, record, "answer", record.result, "no raw answer is kept"),)
        return Checked(record.result, missing, answered=False)
    try:
        answer = blobs.get(record.answer)
        request = blobs.get(record.request) if record.request is not None else b""
    except UserError as error:
        lost = Disagreement(game, record.number, record.seat, record.attempt, "answer", record.result, str(error))
        return Checked(record.result, (replace(lost, answer=record.answer),))
    verdict = _judge(table, record.seat, who.settings, request, answer)
    excerpt = clean_line(answer.decode("utf-8", "replace"), 300)
    found = tuple(
        Disagreement(game, record.number, record.seat, record.attempt, field, logged, audited, record.answer, excerpt)
        for field, logged, audited in _compare(record, verdict)
    )
    return Checked(record.result, found)


def _compare(record: AttemptRecord, verdict: _Verdict) -> Iterator[tuple[str, Any, Any]]:
    """The fields in which a record and the audit's verdict differ."""
    reading = verdict.reading
    if record.result != verdict.result:
        yield "class", record.result, f"{verdict.result}{f' ({reading.why})' if reading.why else ''}"
    if verdict.result == "provider":
        return
    if record.code != verdict.code:
        yield "code", record.code, verdict.code
    if tuple(violation.code for violation in record.violations) != verdict.codes:
        yield "violations", [violation.code for violation in record.violations], list(verdict.codes)
    if not _stated_alike(record.stated, reading.stated):
        yield "stated", record.stated, list(reading.stated)
    if record.proposal != verdict.proposal:
        yield "proposal", record.proposal, verdict.proposal
    if reading.kind == "call" and bool(record.repairs) != verdict.eased:
        yield "repairs", record.repairs, "needed" if verdict.eased else "not needed"


def _judge(table: Game, seat: str, settings: Mapping[str, Any], request: bytes, answer: bytes) -> _Verdict:
    """Class an answer anew, on a copy of the game."""
    answers, apart = bodies(answer, max(len(request.splitlines()), 1))
    if not apart:
        return _failed(Reading("provider", why="the answers in the blob cannot be told apart"))
    level, profile = str(settings["level"]), settings["profile"]
    tools, mode = table.tools(level), _mode(str(profile["output_mode"]))
    form = partial(form_of, len(table.seats), level)
    readings = [read(hear(str(profile["api"]), body), tools, mode, form) for body in answers]
    last = readings[-1]
    if any(reading.kind != "call" for reading in readings[:-1]):
        return _failed(Reading("provider", why="asked on after an answer that holds no call"))
    if last.kind != "call" or last.arguments is None:
        return _failed(last)
    arguments: Mapping[str, Any] = last.arguments
    try:
        if level == "L0":
            arguments = {"entry": _entry(table, seat, settings, readings)}
        tool, stated = table.translate(level, last.name, arguments)
    except FormatFault as fault:
        return _failed(replace(last, kind="format", code=fault.code, why=fault.message))
    judged = table.clone().propose(seat, tool, stated)
    eased = any(reading.eased for reading in readings)
    if judged.accepted:
        return _Verdict(last, "accepted", proposal=judged.proposal, eased=eased)
    primary = judged.violations[0]
    return _Verdict(
        last,
        "format" if primary.is_format else "rule",
        primary.code,
        tuple(violation.code for violation in judged.violations),
        {"tool": tool, "arguments": stated},
        eased,
    )


def _failed(reading: Reading) -> _Verdict:
    return _Verdict(reading, reading.kind, reading.code)


def _mode(output_mode: str) -> Mode:
    """How an answer was asked for, by the output mode among the agent's settings."""
    return "tools" if output_mode == "tools" else "text" if output_mode == "text" else "object"


def _entry(table: Game, seat: str, settings: Mapping[str, Any], readings: Sequence[Reading]) -> int:
    """The place in the legal list to which the entries chosen step by step lead; FormatFault if there is none."""
    legal = [table.proposal(action) for action in table.legal]
    seen = table.observe(seat)
    within: tuple[int, ...] | None = None
    for reading in readings:
        shown = menu(legal, seen, int(settings["menu_limit"]), within, str(settings["language"]))
        try:
            within = shown.group((reading.arguments or {})["entry"])
        except IndexError as error:
            raise FormatFault("malformed_arguments", str(error)) from None
    if within is None or len(within) != 1:
        raise FormatFault("malformed_arguments", "the entries chosen lead to no single action")
    return within[0]


def _stated_alike(logged: Mapping[str, Any] | None, stated: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the log keeps what was stated: nothing, one call, or several."""
    if logged is None or not stated:
        return logged is None and not stated
    if len(stated) == 1:
        return _alike(logged, stated[0])
    return _alike(logged, {"calls": list(stated)})


def _alike(logged: Any, stated: Any, depth: int = DEEPEST) -> bool:
    """Equality as far as a log can keep it: half characters, NaN, long texts and deep nesting stand there otherwise."""
    if logged == "nested too deeply":
        return isinstance(stated, dict | list)
    if depth < 0 or isinstance(logged, bool) or isinstance(stated, bool):
        return logged is stated
    if isinstance(stated, str) and isinstance(logged, str):
        whole = _kept(stated)
        return logged == whole or (len(logged) >= CUT and whole.startswith(logged))
    if isinstance(stated, float) and isinstance(logged, str):
        return logged == str(stated)
    if isinstance(stated, dict) and isinstance(logged, dict):
        told = {_kept(key): value for key, value in stated.items()}
        return told.keys() == logged.keys() and all(_alike(logged[key], told[key], depth - 1) for key in told)
    if isinstance(stated, list) and isinstance(logged, list):
        return len(stated) == len(logged) and all(
            _alike(one, other, depth - 1) for one, other in zip(logged, stated, strict=True)
        )
    return bool(logged == stated) and type(logged) is type(stated)


def _kept(text: str) -> str:
    """A text as JSON can hold it, half characters replaced."""
    return text.encode("utf-8", "replace").decode("utf-8")
