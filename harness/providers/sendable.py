"""The last look at the body of a request: servers refuse one that holds half characters (lone surrogates)."""

from __future__ import annotations

import json

from harness.canonical import plain
from harness.providers.types import Json


def sendable(body: Json) -> Json:
    """Return the body itself if every text in it can be sent, else a copy with question marks for half characters."""
    try:
        json.dumps(body, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return dict(plain(body))
    return body
