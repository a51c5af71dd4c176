"""Every type of event with its fields, as published for readers of logs (contract section 6).

A field in brackets is not always there; a field after `!` is known only to the seats that `known_to` names. The
names change only with the schema version of the log.
"""

from __future__ import annotations

from typing import Final, NamedTuple

_ROWS: Final = """
ability card [copied]
ban set
bonus card
bonus_stack number
copy card copied value targets
costs add
deal drawn sets
discard cards
draw count [zone] !cards
exchange to !given !received
forfeit
give to !card
guess value right
hand_limit add
inventory cards
junk count
look zone count !cards
market source card cost payment [gold]
pick set
place zone !card
put_back zone count !cards
refill market new
reveal card zone
roll value
shuffle zone count
skip
stall number cards [from_discard] [adjust]
swap card taken zone [number]
swap_piles deck_size discard
swap_tops to count
take zone [card] ![card]
technique card [copied] ![secret_card] ![targets]
throw_away cards
turn round
value [add] [card] [value]
win stacks
"""


class EventType(NamedTuple):
    """One type of event: the fields it always has, and those it may have; `secret` are the ones not all seats see."""

    required: tuple[str, ...]
    optional: tuple[str, ...]
    secret: tuple[str, ...]


def _read(rows: str) -> dict[str, EventType]:
    table = {}
    for row in rows.strip().split("\n"):
        name, *fields = row.split()
        bare = [field.lstrip("!").strip("[]") for field in fields]
        always = tuple(one for one, field in zip(bare, fields, strict=True) if "[" not in field)
        at_times = tuple(dict.fromkeys(one for one in bare if one not in always))
        hidden = tuple(one for one, field in zip(bare, fields, strict=True) if field.startswith("!"))
        table[name] = EventType(always, at_times, hidden)
    return table


EVENT_TYPES: Final[dict[str, EventType]] = _read(_ROWS)
"""Every type of event by name."""

TEXT_FIELDS: Final = ("card", "copied", "secret_card", "set", "source", "taken", "to", "zone")
NUMBER_FIELDS: Final = ("add", "cost", "count", "deck_size", "gold", "number", "round", "value")
LIST_FIELDS: Final = (
    "cards",
    "discard",
    "drawn",
    "from_discard",
    "given",
    "new",
    "payment",
    "received",
    "sets",
    "targets",
)
"""Fields that hold a string, an integer, a list of cards or sets; the others are described in the log's schema."""
