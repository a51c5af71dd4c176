"""How cards are named in the fields of the tools: notation is never what is tested.

At L1 and L2 lines for what the player holds now (techniques, abilities, passives, what chameleons can copy) and for a
card for sale; from L3 on, where which cards can be used is for the player to find out, lines for all cards in play. And
the field that answers a question.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness import prompts
from harness.prompts import CardText, Texts
from harness.render import bare, card_facts


def asked(texts: Texts, decision: Mapping[str, Any], level: str) -> str:
    """Which field answers the question of an effect, and how; empty if no effect asks."""
    ask = texts.decisions.asks.get(decision["asks"]) if decision["kind"] == "effect_choice" else None
    return _fields(ask.choices, level) if ask else ""


def usable(texts: Texts, seen: Mapping[str, Any], level: str) -> list[str]:
    """One line for each card of the hand that can be played or has an ability or a notation of its own now."""
    kind = seen["decision"]["kind"]
    if kind not in ("action", "bonus_stack", "end_of_turn"):
        return []
    edition = seen["edition"]
    lines: dict[str, None] = {}
    copied: dict[str, None] = {}
    for entry in seen["hand"]:
        slug = bare(entry.get("copies") or entry["card"])
        text = texts.card(edition, slug)
        name = bare(entry["card"])
        if slug != name:
            name = f"{name} {prompts.render_line(texts, texts.words['use_locked'], {'card': slug})}"
        parts = _parts(texts, edition, slug, kind, level)
        if text.copies and not entry.get("copies"):
            reached = targets(seen, slug)
            if kind != "end_of_turn" and _direct_targets(seen, slug):
                parts.insert(0, _copying(texts, "use_copies", slug, level))
            elif kind == "end_of_turn" and any(target in _WINDOW[edition] for target in reached):
                parts.insert(0, _copying(texts, "use_copies_end", slug, level))
            copied.update(dict.fromkeys(reached))
        if parts:
            lines.setdefault(f"{name}: {'; '.join(parts)}.")
    held = {bare(entry["card"]) for entry in seen["hand"]}
    for slug in copied:
        parts = _parts(texts, edition, slug, kind, level)
        if slug not in held and parts:
            lines.setdefault(f"{slug} {texts.words['use_copied']}: {'; '.join(parts)}.")
    if kind == "action":
        lines.update(dict.fromkeys(_for_sale(texts, seen)))
    return list(lines)


def notation(texts: Texts, edition: str, sets: tuple[str, ...], level: str) -> list[str]:
    """One line for each card of these sets that takes a choice, has an ability or a notation of its own."""
    lines = []
    for slug, card in card_facts(edition).items():
        if card.set not in sets or card.type == "junk":
            continue
        text = texts.card(edition, slug)
        parts = [_copying(texts, "use_copies", slug, level)] if text.copies else []
        if card.type == "technique" and text.choices:
            parts.append(f"{texts.words['use_technique']}: {_choices(texts, text, level)}")
        if card.ability:
            parts.append(f"{texts.words['use_ability']}: {_choices(texts, text, level)}")
        parts += [part for part in (text.market, text.stall) if part]
        if parts:
            lines.append(f"{slug}: {'; '.join(parts)}.")
        if text.bought:
            lines.append(_bought(texts, slug, text))
    return lines


def targets(seen: Mapping[str, Any], chameleon: str) -> list[str]:
    """The cards a classic chameleon in the hand can become, over chains too (R-CPC-04, R-CPC-05), by slug."""
    reached: dict[str, None] = {}
    waiting = [chameleon]
    followed = set()
    while waiting:
        current = waiting.pop()
        followed.add(current)
        for slug in _direct_targets(seen, current):
            reached.setdefault(slug)
            if slug in _SOURCES and slug not in followed:
                waiting.append(slug)
    return [slug for slug in reached if slug not in _SOURCES or slug == "good_old_times"]


_SOURCES = ("flexible_shopkeeper", "reflection", "good_old_times", "trendsetting", "seeing_doubles")
"""The copying chameleons of the classic edition; Good Old Times also has an ability to take over."""


_WINDOW = {"classic": ("market_discovery", "good_old_times", "cookies"), "remastered": ("cookies",)}
"""What can be used, or declared to be copied, in the end-of-turn window (R-CLN-08, R-CLN-09)."""


def _direct_targets(seen: Mapping[str, Any], chameleon: str) -> list[str]:
    me = seen["seat"]
    if chameleon == "flexible_shopkeeper":
        return [card for stack in seen["seats"][me]["stall"][-1:] for card in stack]
    if chameleon == "reflection":
        return [other["discard"][-1] for seat, other in seen["seats"].items() if seat != me and other["discard"]]
    if chameleon == "good_old_times":
        return list(seen["market_discard"][-1:])
    if chameleon == "trendsetting":
        return [slot["card"] for slot in seen["market"] if slot is not None]
    others = [bare(entry["card"]) for entry in seen["hand"]]
    if chameleon in others:
        others.remove(chameleon)
    return others


def _for_sale(texts: Texts, seen: Mapping[str, Any]) -> list[str]:
    """Lines for the cards that say something about being bought, in the market or on top of the market discard."""
    cards = [slot["card"] for slot in seen["market"] if slot is not None] + seen["market_discard"][-1:]
    told = {card: texts.card(seen["edition"], card) for card in cards}
    return [_bought(texts, card, text) for card, text in told.items() if text.bought]


def _bought(texts: Texts, slug: str, text: CardText) -> str:
    return f"{slug} {texts.words['use_bought']}: {text.bought}."


def _parts(texts: Texts, edition: str, slug: str, kind: str, level: str) -> list[str]:
    facts = card_facts(edition)[slug]
    text = texts.card(edition, slug)
    parts = []
    if facts.type == "technique" and kind == "action":
        parts.append(f"{texts.words['use_technique']}: {_choices(texts, text, level)}")
    if facts.ability and (slug in _WINDOW[edition] if kind == "end_of_turn" else slug != "cookies"):
        parts.append(f"{texts.words['use_ability']}: {_choices(texts, text, level)}")
    if text.market and kind == "action":
        parts.append(text.market)
    if text.stall and kind in ("action", "bonus_stack"):
        parts.append(text.stall)
    return parts


def _choices(texts: Texts, text: CardText, level: str) -> str:
    return _fields(text.choices, level) or texts.words["use_nothing"]


def _fields(choices: Mapping[str, str], level: str) -> str:
    named = _FLAT if level == "L1" else _NESTED
    return "; ".join(f"{named.get(field, field)} = {text}" for field, text in choices.items())


_NESTED = {field: f"choices.{field}" for field in ("cards", "opponents", "slots", "stack", "value", "option")}
_FLAT = {"stack": "stack_seat, stack_number, stack_card"}
"""How the fields of `choices` are called from L2 on and, flat, at L1 (contract section 3)."""


def _copying(texts: Texts, name: str, slug: str, level: str) -> str:
    """How a chameleon says what it copies, with the form of its targets."""
    template = texts.words.get(f"{name}_{level}") or texts.words[name]
    values = {"card": slug, "target": texts.card("classic", slug).copies}
    return prompts.render_line(texts, template, values) or ""
