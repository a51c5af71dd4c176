"""What a player is told about a rejected attempt, no more than the run's feedback level allows."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine import Violation
from harness import prompts
from harness.agents.base import Feedback, FeedbackLevel
from harness.records import AttemptRecord


def make_feedback(
    level: FeedbackLevel,
    record: AttemptRecord,
    violations: Sequence[Violation],
    language: str,
    nearest: Callable[[], str],
) -> Feedback | None:
    """Return the feedback for one attempt, None at level ``none``.

    ``illegal`` tells that the attempt was not legal, or by its class why nothing could be read; ``code`` adds the
    codes; ``rule`` the rule IDs, the facts and the sentence of the primary code; ``explain`` the nearest legal
    proposal, which is asked of ``nearest`` at that level alone.
    """
    if level == "none":
        return None
    told: tuple[Violation, ...] = ()
    message = prompts.failure_message(record.result, language)
    if level == "code":
        told = tuple(Violation(violation.code, (), {}) for violation in violations)
    elif level in ("rule", "explain"):
        told = tuple(violations)
        if violations:
            message = prompts.message(violations[0], language)
    return Feedback(
        stated=record.stated,
        failure=record.result,
        code=record.code if level != "illegal" else None,
        violations=told,
        message=message,
        nearest=nearest() if level == "explain" and violations else "",
    )
