"""What a match and an agent say to each other: one ``Turn`` goes in, one ``Answer`` comes out.

An agent is asked for one decision at a time and knows only its ``Turn``. It keeps no generator of its own: whatever it
draws is a function of ``Turn.key`` (see ``harness.randomness``). May import the engine's public names and
``harness.providers.types``; knows no match, log or command line.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol, runtime_checkable

from engine import Decision, Explanation, Opportunity, Violation
from harness.providers.types import Usage

__all__ = [
    "MODEL_FAILURES",
    "Agent",
    "Answer",
    "AttemptClass",
    "Failure",
    "Fault",
    "Feedback",
    "FeedbackLevel",
    "Leave",
    "LetDraw",
    "MatchSettings",
    "Note",
    "Policy",
    "Proposal",
    "Resign",
    "Rulebook",
    "Turn",
    "TurnKey",
    "Usage",
]

Proposal = dict[str, Any]
"""``{"tool": str, "arguments": {...}}``, the form of section 1 of the contract."""

Failure = Literal["provider", "truncated", "refusal", "empty", "text_only", "format"]
AttemptClass = Literal["provider", "truncated", "refusal", "empty", "text_only", "format", "rule", "accepted"]
FeedbackLevel = Literal["none", "illegal", "code", "rule", "explain"]
Policy = Literal["random_legal", "forfeit", "void"]
Rulebook = Literal["full", "brief", "none"]

MODEL_FAILURES: tuple[Failure, ...] = ("truncated", "refusal", "empty", "text_only", "format")
"""Failures that use up an attempt; ``provider`` uses up none."""


class Leave(Exception):
    """Raised by an agent whose player gets up from the table: the game stays open and can be resumed.

    ``faults`` are calls to a provider that were broken off for it, which are logged.
    """

    def __init__(self, *faults: Fault) -> None:
        super().__init__()
        self.faults = faults


class Resign(Exception):
    """Raised by an agent whose player gives the game up: the seat forfeits, and the others play on."""


class LetDraw(Exception):
    """Raised when a person at the table does not wait for a seat's answer: one legal proposal is drawn for it.

    ``faults`` are as in ``Leave``.
    """

    def __init__(self, *faults: Fault) -> None:
        super().__init__()
        self.faults = faults


class TurnKey(NamedTuple):
    """What an agent's randomness depends on, and nothing else."""

    seed: int
    game: str
    seat: str
    number: int


@dataclass(frozen=True)
class MatchSettings:
    """The fields of a run that an agent may know. ``decision_limit`` None is the default of ``MatchPlan``."""

    attempts: int = 3
    feedback: FeedbackLevel = "rule"
    policy: Policy = "random_legal"
    round_limit: int = 100
    rulebook: Rulebook = "full"
    decision_limit: int | None = None


@dataclass(frozen=True)
class Feedback:
    """One earlier attempt at the decision that is still open, as much of it as the run's feedback level tells.

    ``stated`` is the rejected call as the agent stated it, None if there was none. At level ``illegal`` neither codes
    nor rules are told (``violations`` is empty, ``code`` None); at ``code`` the violations carry no facts; at ``none``
    no feedback is given at all. ``message`` is one sentence in the player's language; ``nearest`` says at level
    ``explain`` what the nearest legal proposal is and what it changes, if there is one.
    """

    stated: Mapping[str, Any] | None
    failure: AttemptClass
    code: str | None
    violations: tuple[Violation, ...]
    message: str
    nearest: str = ""


class Note:
    """One thing a seat was shown or did; what it is stands in ``data`` and never changes.

    ``kind`` is ``state`` (its observation at the opening, and again once a draft has ended in a deal), ``event`` (as
    this seat may see it), ``own`` (a proposal of its own that was accepted) or ``drawn`` (one the policy played for
    it). ``told`` keeps the note's text by language once it was made.
    """

    __slots__ = ("data", "kind", "told")

    def __init__(self, kind: Literal["state", "event", "own", "drawn"], data: dict[str, Any]) -> None:
        self.kind = kind
        self.data = data
        self.told: dict[str, str] = {}


@dataclass(frozen=True)
class Turn:
    """Everything a seat is told when it has to decide.

    ``legal`` is the legal list as canonical proposals, made when asked for; ``history`` the events this seat saw since
    its own last decision; ``record`` all it has been shown and has answered in this game, the opening first; ``number``
    counts the decisions of the game from 0; ``attempt`` is 0 for the first try, and ``failed`` how many tries of class
    ``provider`` the log holds at this decision, which use up no attempt.
    ``opportunities`` lists, by a seed, an illegal proposal for every code that is open here; ``explain`` says why a
    proposal of this seat is refused and which legal one is nearest. ``earlier`` are the classes of the attempts already
    used up at this decision.
    """

    seat: str
    decision: Decision
    observation: dict[str, Any]
    legal: Sequence[Proposal]
    tools: Callable[[str], list[dict[str, Any]]]
    translate: Callable[[str, str, Mapping[str, Any]], tuple[str, dict[str, Any]]]
    opportunities: Callable[[int], Sequence[Opportunity]]
    explain: Callable[[Proposal], Explanation]
    history: tuple[dict[str, Any], ...]
    record: tuple[Note, ...]
    number: int
    attempt: int
    feedback: tuple[Feedback, ...]
    key: TurnKey
    settings: MatchSettings
    earlier: tuple[AttemptClass, ...] = ()
    failed: int = 0


BROKEN_OFF = "broken_off"
"""The code of a fault that ends with its player's leave, or with a move drawn for it: no answer comes behind it."""


@dataclass(frozen=True)
class Fault:
    """A try at a provider that gave no usable answer and was made again; logged as an attempt of class ``provider``.

    ``uncertain`` is as in an ``Answer``.
    """

    code: str
    detail: str
    timing: Mapping[str, float] = field(default_factory=dict)
    uncertain: str | None = None


@dataclass(frozen=True)
class Answer:
    """What an agent brought back: a proposal, or the class of failure that kept it from making one.

    A readable proposal stands in ``proposal`` whether legal or not: the engine judges it. ``stated`` is the call as
    the agent stated it ({"tool", "arguments"}); left out, the proposal stands for itself. ``code`` is
    ``malformed_arguments`` or ``unknown_action`` for class ``format``, and the kind of trouble for class ``provider``.
    ``faults`` are the tries at the provider that failed before this one. ``cost`` is a decimal text in US dollars,
    None if unknown, ``uncertain`` another for what calls cost at worst whose usage is unknown. ``request`` and
    ``answer`` are the whole bytes sent and received, kept beside the log.
    """

    proposal: Proposal | None = None
    failure: Failure | None = None
    code: str | None = None
    detail: str = ""
    stated: dict[str, Any] | None = None
    repairs: tuple[str, ...] = ()
    usage: Usage | None = None
    cost: str | None = None
    uncertain: str | None = None
    calls: int = 0
    request: bytes | None = None
    answer: bytes | None = None
    timing: Mapping[str, float] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()


@runtime_checkable
class Agent(Protocol):
    """A player of one seat. ``spec`` is its canonical text, ``settings`` its options in full as the log shows them."""

    spec: str
    settings: dict[str, Any]

    async def choose(self, turn: Turn) -> Answer:
        """Answer one decision. Raises ``Leave`` if the player gets up, ``Resign`` if it gives up, or ``LetDraw``."""
        ...

    async def close(self) -> None:
        """Give back whatever the agent holds (connections, servers)."""
        ...
