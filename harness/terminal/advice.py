"""What ``hint`` says: the move the scripted merchant would make, and why in a sentence. It plays nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness import render
from harness.agents.base import Proposal, Turn
from harness.agents.merchant import decide
from harness.agents.merchant_plan import holding_of, outlook
from harness.agents.merchant_view import read_view, without
from harness.prompts import Texts
from harness.render import bare, slot_card
from harness.terminal.spelling import spell


def advice(turn: Turn, texts: Texts) -> str:
    """Return the merchant's move at a turn, the line that makes it, and the reason."""
    move = decide(turn)
    told = render.proposal(move, turn.observation, texts.language)
    hint = texts.say("hint", move=told, line=spell(move, texts.language))
    return f"{hint}\n{reason(turn.observation, move, texts)}"


def reason(seen: Mapping[str, Any], move: Proposal, texts: Texts) -> str:
    """Return why the merchant makes a move, in one sentence."""
    tool, arguments = move["tool"], move["arguments"]
    if "draft" in seen or tool == "choose":
        return texts.say("hint_choose")
    if tool == "stall":
        return texts.say("hint_stall", number=seen["next_stack"])
    if tool == "market":
        return texts.say(
            "hint_market", card=slot_card(seen, arguments["source"]), kept=_kept(seen, arguments["payment"])
        )
    if tool == "inventory":
        return texts.say("hint_inventory", kept=_kept(seen, arguments["cards"]))
    if tool in ("technique", "ability"):
        return texts.say(f"hint_{tool}", card=arguments["card"], brief=_brief(seen, arguments, texts))
    return texts.say(f"hint_{tool}")


def _kept(seen: Mapping[str, Any], spent: list[str]) -> tuple[str, ...]:
    """The hand cards the merchant's plan needs for its next stacks, but for those it spends all the same."""
    return without(outlook(holding_of(read_view(seen))).kept, [bare(card) for card in spent])


def _brief(seen: Mapping[str, Any], arguments: Mapping[str, Any], texts: Texts) -> str:
    """The effect in one line of the card that is played or used, or of the one it copies."""
    slug = bare(arguments["card"])
    for entry in seen["hand"]:
        if entry["card"] == arguments["card"]:
            slug = entry.get("copies") or slug
    for copy in arguments.get("copies", ()):
        if copy["card"] == arguments["card"]:
            slug = bare(copy["targets"][-1].partition(":")[2])
    return texts.card(seen["edition"], slug).brief
