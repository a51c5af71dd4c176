"""Profile files: what one server takes, as ``dale models probe`` writes it and ``?profile=FILE`` reads it.

Which server and which model are asked is no business of such a file, and keys have no place in it.
"""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, get_type_hints

from pydantic import TypeAdapter, ValidationError

from harness.errors import UserError
from harness.providers.errors import short
from harness.providers.profiles import Profile

NOT_IN_A_FILE = ("name", "model", "base_url", "key_required")
_SECRET = re.compile(r"(?:api_?)?key|token|secret|password|authorization|bearer", re.IGNORECASE)
_LOOKS_LIKE_A_KEY = re.compile(r"(?:sk|gsk|xai|pk|key)-\S{8,}|Bearer \S+|AIza\S{20,}|[A-Za-z0-9+/_-]{40,}")
_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]{0,63}")
_MINIMA: Mapping[str, float] = {
    "deadline_s": 0.1, "max_wait_s": 0, "retries": 0, "concurrency": 1, "max_output_tokens": 1, "temperature": 0,
    "rpm": 1, "tpm": 1,
}  # fmt: skip


def read_profile_file(path: str) -> dict[str, Any]:
    """Return the fields a file sets, checked against the fields of a profile.

    Raises UserError for a file that cannot be read, is no TOML, holds a key, an unknown field or a value of the wrong
    type.
    """
    try:
        text = Path(path).expanduser().read_text(encoding="utf-8")
        fields = tomllib.loads(text)
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"cannot read the profile file {path}: {getattr(error, 'strerror', None) or error}.") from None
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"the profile file {path} is not valid TOML: {error}.") from None
    except (ValueError, RuntimeError) as error:  # a path that no file has: of a user that is none, or with a zero in it
        raise UserError(f"cannot read the profile file {path}: {str(error).rstrip('.')}.") from None
    for field, value in fields.items():
        _check(path, field, value)
    return fields


def _check(path: str, field: str, value: Any) -> None:
    if _SECRET.fullmatch(field) or (isinstance(value, str) and _LOOKS_LIKE_A_KEY.fullmatch(value.strip())):
        raise UserError(
            f"the profile file {path} holds a key in {short(field)!r}: keys come from the environment only; take it "
            'out and name its variable, as in key_env = "MY_API_KEY".'
        )
    if field in NOT_IN_A_FILE:
        raise UserError(f"the profile file {path} sets {field!r}, which the agent's own text says: take it out.")
    kind = _kinds().get(field)
    if kind is None:
        close = get_close_matches(field, list(_kinds()), n=1)
        meant = f"; did you mean {close[0]!r}?" if close else ""
        raise UserError(
            f"the profile file {path} has an unknown field {short(field)!r}{meant}; there are: {', '.join(_kinds())}."
        )
    try:
        kind.validate_python(value, strict=True)
    except ValidationError as error:
        raise UserError(
            f"the profile file {path} is wrong at {field!r}: {error.errors()[0]['msg']}, not {short(repr(value))}."
        ) from None
    if field == "key_env" and not _VARIABLE.fullmatch(str(value)):
        raise UserError(f"the profile file {path} must name an environment variable in key_env, as MY_API_KEY is one.")
    if isinstance(value, int | float) and not _is_finite(value):
        raise UserError(f"the profile file {path} is wrong at {field!r}: it must be a finite number.")
    if value is not None and value < _MINIMA.get(field, value):
        raise UserError(f"the profile file {path} is wrong at {field!r}: it must be at least {_MINIMA[field]:g}.")


def _is_finite(number: float) -> bool:
    try:
        return math.isfinite(number)
    except OverflowError:  # a whole number that is too large to reckon with
        return False


@cache
def _kinds() -> Mapping[str, TypeAdapter[Any]]:
    hints = get_type_hints(Profile)
    return {name: TypeAdapter(hints[name]) for name in Profile.__dataclass_fields__ if name not in NOT_IN_A_FILE}


def profile_text(fields: Mapping[str, Any], remarks: tuple[str, ...] = ()) -> str:
    """Return the text of a profile file; ``remarks`` stand above the fields as comments."""
    lines = [f"# {short(remark)}" for remark in remarks]
    return "\n".join([*lines, *(f"{name} = {json.dumps(value)}" for name, value in fields.items())]) + "\n"
