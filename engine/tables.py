"""The cards as static tables indexed by kind: name, value, and by edition set, type, "+", ability (decks.md 7)."""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.errors import PositionError
from engine.types import EDITIONS, JUNK, Kind

SETS: Final = ("macaws", "pandas", "raccoons", "squirrels", "ocelots", "chameleons")
NO_SET: Final = -1
CHAMELEON_SET: Final = SETS.index("chameleons")

TECHNIQUE: Final = "technique"
PASSIVE: Final = "passive"
JUNK_TYPE: Final = "junk"

COPIES: Final = {1: 4, 2: 3, 3: 3, 4: 3, 5: 1}
"""How many copies of a card a set holds, by value (R-CMP-03)."""
JUNK_CARDS: Final = 20
"""Junk cards in the box (R-CMP-02)."""


class CardInfo(NamedTuple):
    """One card of one edition: the facts a player reads on its face, without its text."""

    slug: str
    name: str
    set: str
    value: int
    copies: int
    type: str
    plus: bool
    ability: bool
    code: str


# edition (b = both); code; set; name; type; plus; ability
_ROWS: Final = """
b MAC1 macaws T 1 0 Swift Broker
c MAC2 macaws P 0 0 Cookies
r MAC2 macaws P 0 1 Cookies
b MAC3 macaws T 1 0 Shattered Relic
b MAC4 macaws T 1 0 Spyglass
b MAC5A macaws T 1 0 Flashy Show
b MAC5B macaws T 1 0 Favourite Toy
b PAN1 pandas T 1 0 Loyal Partner
b PAN2 pandas T 0 0 Prepaid Good
c PAN3 pandas P 0 0 Essential Purchase
r PAN3 pandas T 1 0 Essential Purchase
c PAN4 pandas P 0 1 Market Discovery
r PAN4 pandas T 1 0 Gift Voucher
b PAN5A pandas T 0 0 Special Offer
c PAN5B pandas P 0 0 Stock Clearance
r PAN5B pandas T 1 0 Exclusive Contacts
b RAC1 raccoons T 1 0 Wily Fellow
b RAC2 raccoons T 1 0 Nuisance
b RAC3 raccoons T 1 0 Rotten Food
b RAC4 raccoons T 1 0 Dirty Exchange
b RAC5A raccoons T 1 0 Sabotage
b RAC5B raccoons T 0 0 Treasure Hunter
b SQU1 squirrels P 0 0 Stashing Vendor
b SQU2 squirrels P 0 0 Empty Chest
b SQU3 squirrels P 0 0 Nostalgic Item
b SQU4 squirrels T 1 0 Acorn
b SQU5A squirrels P 0 0 Accordion
b SQU5B squirrels P 0 0 Winter is Coming
b OCE1 ocelots P 0 1 Bold Haggler
b OCE2 ocelots T 1 0 New Season
b OCE3 ocelots T 1 0 Whirligig
b OCE4 ocelots T 1 0 Charm
b OCE5A ocelots T 1 0 Gamble
b OCE5B ocelots T 1 0 Blindfold
c CHA1 chameleons P 0 0 Flexible Shopkeeper
r CHA1 chameleons P 0 1 Flexible Shopkeeper
c CHA2 chameleons P 0 0 Reflection
r CHA2 chameleons P 0 1 Reflection
b CHA3 chameleons P 0 1 Good Old Times
c CHA4 chameleons T 1 0 Gift Voucher
r CHA4 chameleons P 0 1 Sound Detectors
c CHA5A chameleons P 0 0 Trendsetting
r CHA5A chameleons P 0 1 Trendsetting
c CHA5B chameleons P 0 0 Seeing Doubles
r CHA5B chameleons P 0 1 Seeing Doubles
"""


def _read(rows: str) -> tuple[tuple[CardInfo, ...], tuple[CardInfo, ...]]:
    junk = CardInfo("junk", "Junk", "none", 1, JUNK_CARDS, JUNK_TYPE, False, False, "JUNK")
    editions: tuple[list[CardInfo], list[CardInfo]] = ([junk], [junk])
    for row in rows.strip().split("\n"):
        edition, code, set_name, letter, plus, ability, name = row.split(maxsplit=6)
        value = int(code[3])
        slug = name.lower().replace(" ", "_")
        type_ = TECHNIQUE if letter == "T" else PASSIVE
        card = CardInfo(slug, name, set_name, value, COPIES[value], type_, plus == "1", ability == "1", code)
        for index, mark in enumerate("cr"):
            if edition in ("b", mark):
                editions[index].append(card)
    return tuple(editions[0]), tuple(editions[1])


CARDS: Final = _read(_ROWS)
"""The cards of the classic and of the remastered edition, junk first."""


def _slugs() -> tuple[str, ...]:
    seen: dict[str, None] = {}
    for cards in CARDS:
        for card in cards:
            seen.setdefault(card.slug)
    return tuple(seen)


SLUGS: Final[tuple[str, ...]] = _slugs()
"""Slug by kind, over both editions."""
KINDS: Final[dict[str, Kind]] = {slug: kind for kind, slug in enumerate(SLUGS)}
"""Kind by slug."""

VALUE: Final[list[int]] = [0] * len(SLUGS)
"""Printed value by kind; the same in both editions."""
SET_OF: Final[tuple[list[int], list[int]]] = ([NO_SET] * len(SLUGS), [NO_SET] * len(SLUGS))
"""For each edition: index into SETS by kind, NO_SET for junk and for cards of the other edition."""
IS_TECHNIQUE: Final[tuple[list[bool], list[bool]]] = ([False] * len(SLUGS), [False] * len(SLUGS))
HAS_PLUS: Final[tuple[list[bool], list[bool]]] = ([False] * len(SLUGS), [False] * len(SLUGS))
HAS_ABILITY: Final[tuple[list[bool], list[bool]]] = ([False] * len(SLUGS), [False] * len(SLUGS))
SET_KINDS: Final[tuple[list[list[Kind]], list[list[Kind]]]] = ([[] for _ in SETS], [[] for _ in SETS])
"""For each edition and set: its six kinds, by value."""
INFO: Final[tuple[dict[Kind, CardInfo], dict[Kind, CardInfo]]] = ({}, {})
"""For each edition: the card facts by kind."""

for _edition, _cards in enumerate(CARDS):
    for _card in _cards:
        _kind = KINDS[_card.slug]
        INFO[_edition][_kind] = _card
        VALUE[_kind] = _card.value
        IS_TECHNIQUE[_edition][_kind] = _card.type == TECHNIQUE
        HAS_PLUS[_edition][_kind] = _card.plus
        HAS_ABILITY[_edition][_kind] = _card.ability
        if _kind != JUNK:
            SET_OF[_edition][_kind] = SETS.index(_card.set)
            SET_KINDS[_edition][SETS.index(_card.set)].append(_kind)

COOKIES: Final = KINDS["cookies"]
ESSENTIAL_PURCHASE: Final = KINDS["essential_purchase"]
MARKET_DISCOVERY: Final = KINDS["market_discovery"]
STOCK_CLEARANCE: Final = KINDS["stock_clearance"]
STASHING_VENDOR: Final = KINDS["stashing_vendor"]
EMPTY_CHEST: Final = KINDS["empty_chest"]
NOSTALGIC_ITEM: Final = KINDS["nostalgic_item"]
ACCORDION: Final = KINDS["accordion"]
WINTER_IS_COMING: Final = KINDS["winter_is_coming"]
BOLD_HAGGLER: Final = KINDS["bold_haggler"]
BLINDFOLD: Final = KINDS["blindfold"]
FLEXIBLE_SHOPKEEPER: Final = KINDS["flexible_shopkeeper"]
REFLECTION: Final = KINDS["reflection"]
GOOD_OLD_TIMES: Final = KINDS["good_old_times"]
TRENDSETTING: Final = KINDS["trendsetting"]
SEEING_DOUBLES: Final = KINDS["seeing_doubles"]

CLASSIC_CHAMELEONS: Final = (FLEXIBLE_SHOPKEEPER, REFLECTION, GOOD_OLD_TIMES, TRENDSETTING, SEEING_DOUBLES)
"""The copying cards of the classic edition (rules.md 11.1)."""
IS_CHAMELEON: Final[list[bool]] = [kind in CLASSIC_CHAMELEONS for kind in range(len(SLUGS))]

NO_KIND: Final[Kind] = -1
THRIFTY: Final[tuple[Kind, Kind]] = (ESSENTIAL_PURCHASE, NO_KIND)
"""By edition: the card whose purchase lets paid junk be thrown away (PAN3c-1)."""
HAND_RAISER: Final[tuple[Kind, Kind]] = (COOKIES, NO_KIND)
"""By edition: the passive that raises the hand limit while it is in the hand (R-CLN-02)."""
SECRET: Final[tuple[Kind, Kind]] = (BLINDFOLD, NO_KIND)
"""By edition: the technique for which a hand card is chosen in secret (OCE5Bc-1)."""

DIE: Final = ((0, 1, 1, 2, 2, 3), (0, 1, 2, 2, 3, 3))
"""Faces of the ocelot die by edition (R-RND-03)."""


def catalogue(edition: str) -> tuple[CardInfo, ...]:
    """The cards of an edition, junk first, then by set and value. Raises PositionError for an unknown edition."""
    if edition not in EDITIONS:
        raise PositionError(f"unknown edition {edition!r}: the editions are {', '.join(EDITIONS)}")
    return CARDS[EDITIONS.index(edition)]
