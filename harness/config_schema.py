"""The JSON schema of tournament files, for editors: ``docs/tournament.schema.json``.

``python -m harness.config_schema`` prints it.
"""

from __future__ import annotations

import json
from typing import Any

from engine import SETS
from harness.config import Tournament
from harness.prompts import languages


def schema_text() -> str:
    """Return the schema, as the text of ``docs/tournament.schema.json``.

    It says what each key alone may be. What keys must be together is checked when the file is read.
    """
    schema = Tournament.model_json_schema()
    _simplify(schema)
    for model in (schema, *schema["$defs"].values()):
        model["description"] = model["description"].split(" (``")[0].rstrip(".") + "."
    fields = schema["properties"]
    fields["sets"]["items"] = {"enum": sorted(SETS)}
    fields["language"] = {**fields["language"], "enum": list(languages())}
    schema["$defs"]["Entrant"]["required"] = ["agent"]
    return json.dumps(
        {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            **schema,
            "title": "A tournament of dale-arena",
            "description": "What dale tournament run plays. Written as TOML.",
        },
        indent=2,
        sort_keys=True,
    ) + "\n"  # fmt: skip


def _simplify(node: Any) -> None:
    """Leave out what TOML cannot say (null) and the titles that only repeat the keys."""
    if isinstance(node, list):
        for part in node:
            _simplify(part)
    if not isinstance(node, dict):
        return
    kinds = [kind for kind in node.get("anyOf", ()) if kind != {"type": "null"}]
    if kinds:
        del node["anyOf"]
        node |= kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
    if node.get("default", ...) is None or "$ref" in node:
        node.pop("default", None)
    if isinstance(node.get("title"), str):
        del node["title"]
    for part in node.values():
        _simplify(part)


if __name__ == "__main__":
    print(schema_text(), end="")
