"""What a player is shown, as text: the state, events, decisions and proposals.

Pure functions from plain dicts (the forms of the observation, the events and the proposals) to text in one language.
Used for models, for people at the terminal and for replays alike. The words stand in `prompts/<language>`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from engine import CardInfo, catalogue
from harness import prompts
from harness.agents.base import Note
from harness.prompts import DEFAULT_LANGUAGE, Texts
from harness.text import clean_data, clean_line, quoted

Data = Mapping[str, Any]


@lru_cache(maxsize=4)
def card_facts(edition: str) -> Mapping[str, CardInfo]:
    """The cards of an edition by slug."""
    return {card.slug: card for card in catalogue(edition)}


def observation(seen: Data, language: str = DEFAULT_LANGUAGE, plain: bool = False) -> str:
    """A seat's whole observation as compact text: hand with values, market with costs, piles, stalls, knowledge.

    With ``plain`` nothing in it is computed: values are the printed ones, beside what has changed them, and there are
    no costs, no totals, no number of the next stack and no hand limit.
    """
    texts = prompts.load(language)
    facts = card_facts(seen["edition"])
    view = {
        **seen,
        "plain": plain,
        "in_force": [_told(change, texts) for change in seen.get("in_force", ())],
        "hand": _hand(seen["hand"], facts),
        "hand_size": len(seen["hand"]),
        "hand_total": sum(entry["value"] for entry in seen["hand"]),
        "market": [_slot(number, entry, facts) for number, entry in enumerate(seen["market"])],
        "players": [{"seat": seat, **player} for seat, player in seen["seats"].items()],
        "known": [{"position": None, "copies": None, **item} for item in seen["known"]],
        "pools": [_pool(owner, pool, seen["seat"], texts) for owner, pool in seen["pools"].items()],
        "offered": seen.get("offered", []),
        "draft": seen.get("draft"),
    }
    return texts.render("state.md.j2", **view).rstrip("\n")


def event(happened: Data, language: str = DEFAULT_LANGUAGE) -> str:
    """One event, public or private as the dict gives it, as one line; an unknown type as a plain list of its fields."""
    clean = clean_data(happened)
    try:
        return _told(clean, prompts.load(language))
    except (AttributeError, KeyError, TypeError, ValueError):  # out of a log: any shape can stand there
        return quoted(clean)


def _told(fields: Data, texts: Texts) -> str:
    """An event of the running game, whose fields need no cleaning."""
    line = None
    if fields["type"] in texts.events:
        line = prompts.render_line(texts, texts.events[fields["type"]], fields)
    if line is None:
        shown = ", ".join(f"{name} {_plain(value)}" for name, value in fields.items() if name not in ("type", "seat"))
        line = f"{fields.get('seat', '')}: {fields['type']} {shown}".strip()
    return line


def history(events: Iterable[Data], language: str = DEFAULT_LANGUAGE, plain: bool = False) -> str:
    """Events of the running game as lines with a dash, oldest first; empty text for none.

    The discard that a purchase or an Inventory action has told already is left out; with ``plain`` the costs, which are
    computed, too.
    """
    texts = prompts.load(language)
    return "\n".join(f"- {_told(_uncounted(one) if plain else one, texts)}" for one in _untold(events))


def record(notes: Iterable[Note], language: str = DEFAULT_LANGUAGE) -> str:
    """What a seat was shown and answered, as lines with a dash, oldest first, with nothing computed.

    Each line follows from the notes up to its own, so the text of more notes begins with the text of fewer.
    """
    texts = prompts.load(language)
    lines = []
    told = ""
    for note in notes:
        if note.kind == "event":
            told, left_out = _tells_discard(note.data, told)
            if left_out:
                continue
        line = note.told.get(language)
        if line is None:
            line = note.told[language] = _noted(note, texts)
        lines.append(line)
    return "\n".join(lines)


def _noted(note: Note, texts: Texts) -> str:
    if note.kind == "event":
        return f"- {_told(_uncounted(note.data), texts)}"
    if note.kind == "state":
        return f"- {texts.words['note_state']}\n{observation(note.data, texts.language, plain=True)}"
    given = {name: value for name, value in note.data["arguments"].items() if value is not None}
    return f"- {texts.words[f'note_{note.kind}']} {note.data['tool']} {quoted(given)}"


def _untold(events: Iterable[Data]) -> Iterator[Data]:
    """The events without the discards that a purchase or an Inventory action has told already."""
    told = ""
    for happened in events:
        told, left_out = _tells_discard(happened, told)
        if not left_out:
            yield happened


def _tells_discard(happened: Data, told: str) -> tuple[str, bool]:
    """Whose next discard is told now, and whether this event is such a discard; ``told`` is whose was before it."""
    type_ = happened["type"]
    if type_ == "discard" and told == happened["seat"]:
        return told, True
    return happened["seat"] if type_ in ("market", "inventory") or (type_ == "throw_away" and told) else "", False


def _uncounted(happened: Data) -> Data:
    """An event without the cost that follows from the rules."""
    return {name: value for name, value in happened.items() if name != "cost"} if "cost" in happened else happened


def decision(asked: Data, language: str = DEFAULT_LANGUAGE) -> str:
    """What has to be decided, as one sentence. `asked` has the form of the observation's `decision`."""
    texts = prompts.load(language)
    kind = texts.decisions.kinds[asked["kind"]]
    if asked["kind"] == "effect_choice":
        ask = texts.decisions.asks.get(asked["asks"])
        if ask is not None:
            return prompts.render_line(texts, ask.text, {"card": asked["card"]}) or kind.text
    return kind.bonus if asked["bonus"] and kind.bonus else kind.text


def proposal(stated: Data, seen: Data | None = None, language: str = DEFAULT_LANGUAGE) -> str:
    """A proposal as a readable line, such as `buy spyglass from slot_0 with junk, junk, cookies`.

    With the observation `seen` the cards in market slots are named. What cannot be read is quoted as it stands.
    """
    texts = prompts.load(language)
    clean = clean_data(stated)
    arguments = clean.get("arguments")
    if isinstance(arguments, Mapping) and isinstance(clean.get("tool"), str) and clean["tool"] in texts.tools:
        try:
            line = prompts.render_line(texts, texts.proposals[clean["tool"]], _parts(arguments, seen, texts))
        except (AttributeError, KeyError, TypeError, ValueError):  # stated by a player: any shape can stand there
            line = None
        if line is not None:
            return clean_line(line, 400)
    return quoted(stated, 400)


def numbered(lines: Sequence[str]) -> str:
    """The numbered list of a menu, from 0."""
    return "\n".join(f"{number}: {line}" for number, line in enumerate(lines))


def slot_card(seen: Data | None, source: str) -> str | None:
    """The card that lies in a market slot (or on top of the market discard), None if there is none."""
    if seen is None:
        return None
    if source == "market_discard":
        return seen["market_discard"][-1] if seen["market_discard"] else None
    for number, entry in enumerate(seen["market"]):
        if source == f"slot_{number}" and entry is not None:
            return str(entry["card"])
    return None


def bare(card: str) -> str:
    """The slug without the mark of its copy: `bold_haggler#2` is `bold_haggler`."""
    return card.partition("#")[0]


def _hand(entries: Sequence[Data], facts: Mapping[str, CardInfo]) -> list[dict[str, Any]]:
    rows: dict[tuple[Any, ...], dict[str, Any]] = {}
    for entry in entries:
        changes = entry.get("changes", ())
        key = (entry["card"], entry["value"], entry.get("copies"), entry.get("ability"), str(changes))
        if key in rows:
            rows[key]["count"] += 1
            continue
        card = facts[bare(entry["card"])]
        rows[key] = {
            "name": entry["card"],
            "count": 1,
            "value": entry["value"],
            "printed": card.value,
            "set": "" if card.type == "junk" else card.set,
            "type": card.type,
            "plus": card.plus,
            "copies": entry.get("copies"),
            "ability": entry.get("ability"),
            "changes": changes,
        }
    return list(rows.values())


def _slot(number: int, entry: Data | None, facts: Mapping[str, CardInfo]) -> dict[str, Any]:
    slot: dict[str, Any] = {"slot": f"slot_{number}", "card": None}
    if entry is not None:
        card = facts[entry["card"]]
        slot |= {**entry, "set": "" if card.type == "junk" else card.set, "type": card.type, "plus": card.plus}
    return slot


def _pool(owner: str, pool: Data, seat: str, texts: Texts) -> dict[str, Any]:
    name = "pool_own" if owner == seat else "pool_market_deck" if owner == "market_deck" else "pool_other"
    return {**pool, "owner": texts.words[name].format(seat=owner)}


def _parts(arguments: Data, seen: Data | None, texts: Texts) -> dict[str, Any]:
    choices = arguments.get("choices") or {}
    details = [
        _line(texts, f"choice_{name}", {"value": _named_slots(value, seen, texts) if name == "slots" else value})
        for name, value in choices.items()
        if value not in (None, [], "")
    ]
    details += [_line(texts, "copies", copy) for copy in arguments.get("copies") or []]
    values: dict[str, Any] = {
        "stack": None,
        **arguments,
        "payment": arguments.get("payment") or [],
        "throw_away": arguments.get("throw_away") or [],
        "cards": arguments.get("cards") or [],
        "from_discard": arguments.get("from_discard") or [],
        "adjusted": "".join(_line(texts, "adjust", one) for one in arguments.get("adjust") or []),
        "detail": (": " + "; ".join(details)) if details else "",
    }
    if "source" in arguments:
        values["bought"] = slot_card(seen, arguments["source"])
        values["gold"] = _gold(arguments, seen)
    return values


def _gold(arguments: Data, seen: Data | None) -> int:
    """The gold a purchase takes (R-TRM-03); 0 where it cannot be told: without the observation, or with copies."""
    if seen is None or "variant" not in seen or arguments.get("copies"):
        return 0
    source = arguments["source"]
    costs = {slot["slot"]: slot["cost"] for slot in seen["market"] if slot is not None}
    if seen["market_discard"]:
        costs["market_discard"] = card_facts(seen["edition"])[seen["market_discard"][-1]].value
    values = {entry["card"]: entry["value"] for entry in reversed(seen["hand"])}
    paid = arguments.get("payment") or []
    known = source in costs and all(card in values for card in paid)
    return max(0, costs[source] - sum(values[card] for card in paid)) if known else 0


def _named_slots(slots: Sequence[str], seen: Data | None, texts: Texts) -> list[str]:
    return [_line(texts, "slot", {"slot": slot, "card": slot_card(seen, slot)}) for slot in slots]


def _line(texts: Texts, name: str, values: Data) -> str:
    line = prompts.render_line(texts, texts.proposals[name], values)
    if line is None:
        raise ValueError(f"the values of {name} are incomplete")
    return line


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else quoted(value)
