"""The turn: carrying out actions, running effects, cleaning up, passing on (rules.md 3 to 7, 13, 14).

Nothing here checks whether an action is legal; `checks` does that before.
"""

from __future__ import annotations

from typing import Final

from engine import knowledge, moves
from engine.actions import Action, Copy
from engine.announce import announce
from engine.cards._define import PROGRAMS
from engine.cleanup import clean_up, draw_to_limit
from engine.copying import break_locks, lock
from engine.frames import ABILITY_PROGRAMS, BONUS_STACK_PROGRAM, DRAFT_PROGRAM, Asking
from engine.payments import gold_needed
from engine.stacks import next_stack
from engine.state import BUILT, Frame, State, copy_of
from engine.tables import COOKIES, HAS_PLUS, SECRET, SLUGS, WINTER_IS_COMING
from engine.types import (
    ABILITY_TOOL,
    ACTION,
    CHOOSE_TOOL,
    CLEAN_UP,
    EMPTY,
    END_OF_TURN,
    END_TURN_TOOL,
    FROM_MARKET_DISCARD,
    INVENTORY_TOOL,
    JSON,
    MARKET_TOOL,
    OVER,
    SEATS,
    SKIP_TOOL,
    STALL_TOOL,
    TECHNIQUE_TOOL,
    Card,
    Seat,
    in_play_zone,
)
from engine.values import Identity, market_discard_cost, plain, slot_cost
from engine.verbs.build import lay_stack
from engine.verbs.guess import NO_GUESS
from engine.window import window_open


def begin_turn(g: State, seat: Seat) -> None:
    """It is this seat's turn."""
    g.turn = seat
    g.phase = ACTION
    g.bonus = False
    g.rounds[seat] += 1
    if g.log is not None:
        moves.emit(g, "turn", seat, round=g.rounds[seat])


def apply(g: State, action: Action) -> None:
    """Carry out a legal action and everything that follows by itself, up to the next decision or the end."""
    if g.phase == ACTION:
        g.previous = -1
    _APPLY[action.tool](g, action)
    run(g)


def run(g: State) -> None:
    """Go on until somebody must decide or the game is over."""
    while True:
        if g.winner >= 0:
            g.frames.clear()
            g.phase = OVER
            g.previous = -1
            return
        if g.locks:
            break_locks(g)
        if g.frames:
            frame = g.frames[-1]
            steps = PROGRAMS[g.edition][frame.program].steps
            if frame.at == len(steps):
                g.frames.pop()
                _finish(g, frame)
            elif steps[frame.at].start(g, frame):
                frame.at += 1
            else:
                return
        else:
            if g.phase == CLEAN_UP:
                clean_up(g)
                if g.locks:
                    break_locks(g)
            if g.phase == END_OF_TURN and not window_open(g):
                pass_turn(g)
            return


def _finish(g: State, frame: Frame) -> None:
    """An effect has fully resolved: only so a "+" counts (R-TEC-04, R-TEC-06, R-TRN-03 to R-TRN-05, R-CLN-06)."""
    if frame.program >= BONUS_STACK_PROGRAM:
        if frame.program == DRAFT_PROGRAM:
            begin_turn(g, g.turn)
        return
    play = g.zones[in_play_zone(frame.actor)]
    if frame.card in play:
        play.remove(frame.card)
        moves.lay_off(g, frame.actor, frame.card)
    if g.edition:
        moves.refill_market(g)  # R-REF-05
    if HAS_PLUS[g.edition][frame.program]:
        g.bonus = True
        moves.emit(g, "bonus", frame.actor, card=SLUGS[frame.program])
    else:
        g.phase = CLEAN_UP


def _announce(g: State, seat: Seat, copies: tuple[Copy, ...]) -> dict[Card, Identity]:
    """Determine all copies of one action before any card moves, and tell everybody (R-CPC-07, R-CPC-10)."""
    return {card: announce(g, seat, card, chain) for card, chain in copies}


def _market(g: State, action: Action) -> None:
    """Pay and buy; no text of a paid card is carried out, and the slot stays empty (R-MKT-10 to R-MKT-13)."""
    seat = g.turn
    announced = _announce(g, seat, action.copies) if action.copies else {}
    if action.source == FROM_MARKET_DISCARD:
        cost = market_discard_cost(g)
        bought = g.market_discard.pop()
    else:
        cost = slot_cost(g, action.source)
        bought = g.market[action.source]
        g.market[action.source] = EMPTY
    kept = [card for card in action.cards if card not in action.extra]
    fields: dict[str, JSON] = {}
    if g.gold:
        fields["gold"] = _spend_gold(g, seat, cost, action.cards, announced)
    if g.log is not None:
        source = "market_discard" if action.source == FROM_MARKET_DISCARD else f"slot_{action.source}"
        payment = moves.names(action.cards)
        moves.emit(g, "market", seat, source=source, card=moves.name(bought), cost=cost, payment=payment, **fields)
    for card in action.extra:
        moves.throw_from_hand(g, seat, card)
    moves.discard_from_hand(g, seat, kept)
    moves.into_hand_openly(g, seat, bought)
    g.phase = CLEAN_UP


def _spend_gold(g: State, seat: Seat, cost: int, paid: tuple[Card, ...], announced: dict[Card, Identity]) -> int:
    """Take the gold that the paid cards leave open of a cost out of the game (R-TRM-03)."""
    total = sum([(announced[card] if card in announced else plain(g, card)).value for card in paid])
    spent = gold_needed(cost, total)
    g.gold = (*g.gold[:seat], g.gold[seat] - spent, *g.gold[seat + 1 :])
    return spent


def _technique(g: State, action: Action) -> None:
    seat = g.turn
    own = tuple(copy for copy in action.copies if copy.card == action.card)
    announced = _announce(g, seat, own)
    kind = announced[action.card].kind if own else plain(g, action.card).kind
    frame = Frame(kind, seat, action.card)
    questions = PROGRAMS[g.edition][kind].questions
    for question, answer in zip(questions, action.answers, strict=True):
        if answer:
            question.keep(frame, answer)
    lasting = _lasting_copy(g, action.card)
    moves.out_of_hand(g, seat, action.card)
    g.zones[in_play_zone(seat)].append(action.card)
    secret: dict[str, JSON] = {}
    if kind == SECRET[g.edition] and frame.picked:
        # the secret card; a chameleon stays the copy chosen now (OCE5Bc-4, R-CPC-08)
        secret["secret_card"] = moves.name(frame.picked[0])
        for card, chain in action.copies:
            if card != action.card:
                lock(g, card, chain)
                secret["targets"] = moves.names([target for _, target in chain])
    moves.emit_private(g, "technique", seat, 1 << seat, secret, card=moves.name(action.card), **lasting)
    g.bonus = False
    g.frames.append(frame)


def _stall(g: State, action: Action) -> None:
    """Build; no text of a technique is carried out, and cards are their printed selves again (R-STL-09, R-STL-12)."""
    in_bonus = bool(g.frames) and g.frames[-1].program == BONUS_STACK_PROGRAM
    seat = g.turn
    announced = _announce(g, seat, action.copies)
    cards = action.cards + action.extra
    kinds = [announced[card].kind if card in announced else plain(g, card).kind for card in cards]
    if g.log is not None:
        adjusted: list[JSON] = [{"card": moves.name(card), "by": by} for card, by in action.adjust]
        moves.emit(
            g,
            "stall",
            seat,
            number=next_stack(g, seat),
            cards=moves.names(action.cards),
            from_discard=moves.names(action.extra),
            **({"adjust": adjusted} if adjusted else {}),
        )
    for card in action.cards:
        moves.out_of_hand(g, seat, card)
    for card in action.extra:
        g.discard(seat).remove(card)  # the others keep their order (SQU3-3)
    if in_bonus:
        g.frames[-1].at += 1
    else:
        g.phase = CLEAN_UP
        g.previous = seat + BUILT
    lay_stack(g, seat, cards, WINTER_IS_COMING in kinds)


def _inventory(g: State, action: Action) -> None:
    """Discard and nothing else (R-INV-03)."""
    if g.log is not None:
        moves.emit(g, "inventory", g.turn, cards=moves.names(action.cards))
    moves.discard_from_hand(g, g.turn, action.cards)
    g.phase = CLEAN_UP


def _ability(g: State, action: Action) -> None:
    seat = g.turn
    card = action.card
    announced = _announce(g, seat, action.copies)
    kind = announced[card].kind if announced else _ability_kind(g, card)
    knowledge.show_in_hand(g, seat, card)
    moves.emit(g, "ability", seat, card=moves.name(card), **_lasting_copy(g, card))
    if action.copies:
        lock(g, card, action.copies[0].chain)
    if kind == COOKIES and not g.edition:
        g.counted.append(card)
        draw_to_limit(g, seat)
        return
    g.used.append(card)
    frame = Frame(ABILITY_PROGRAMS + kind, seat, card)
    for question, answer in zip(PROGRAMS[g.edition][frame.program].questions, action.answers, strict=True):
        question.keep(frame, answer)
    g.frames.append(frame)


def _lasting_copy(g: State, card: Card) -> dict[str, JSON]:
    """What a card has been a copy of since before this action, for the event that tells of its use (R-CPR-06)."""
    kind = copy_of(g, card) if g.alterations else -1
    return {} if kind < 0 else {"copied": SLUGS[kind]}


def _ability_kind(g: State, card: Card) -> int:
    """Whose ability a card uses without a new copy: its own, or that of the card its lock makes it."""
    return plain(g, card).kind


def _choose(g: State, action: Action) -> None:
    frame = g.frames[-1]
    step = PROGRAMS[g.edition][frame.program].steps[frame.at]
    if isinstance(step, Asking) and step.answer(g, frame, action.answers[0]):
        frame.at += 1


def _skip(g: State, action: Action) -> None:
    """The last stack held a Winter is Coming: it did give a further one (R-STL-13)."""
    g.previous = -1
    moves.emit(g, "skip", g.turn)
    g.frames[-1].at += 1


def _end_turn(g: State, action: Action) -> None:
    pass_turn(g)


_APPLY: Final = {
    MARKET_TOOL: _market,
    TECHNIQUE_TOOL: _technique,
    STALL_TOOL: _stall,
    INVENTORY_TOOL: _inventory,
    ABILITY_TOOL: _ability,
    CHOOSE_TOOL: _choose,
    SKIP_TOOL: _skip,
    END_TURN_TOOL: _end_turn,
}


def pass_turn(g: State) -> None:
    """End the effects "for this turn" and give the turn to the next seat (R-VAL-06, R-CLN-10, R-TRN-01)."""
    if g.alterations or g.used or g.locks or g.counted:
        g.alterations = []
        g.used = []
        g.locks = []
        g.counted = []
    if g.previous < 0:
        g.previous = g.turn
    seat = (g.turn + 1) % g.players
    if g.forfeited:
        while g.forfeited >> seat & 1:
            seat = (seat + 1) % g.players
    begin_turn(g, seat)


def forfeit(g: State, seat: Seat) -> None:
    """A seat takes no more turns and keeps its cards; when one seat is left it wins (contract section 4).

    A pending effect of the seat ends where it is: cards looked at stay on their deck, a card in play is
    discarded, a card revealed by Charm is thrown away. A guess the seat owes counts as wrong. In the draft the seat is
    passed over (R-TRM-01).
    """
    if g.winner >= 0:
        return
    g.previous = -1
    g.forfeited |= 1 << seat
    moves.emit(g, "forfeit", seat)
    left = [one for one in range(g.players) if not g.forfeited >> one & 1]
    if len(left) == 1:
        g.winner = left[0]
        stacks: dict[str, JSON] = {SEATS[one]: len(g.stalls[one]) for one in range(g.players)}
        moves.emit(g, "win", left[0], stacks=stacks)
        run(g)
    elif g.frames and g.frames[-1].program == DRAFT_PROGRAM:
        run(g)
    elif g.turn == seat:
        play = g.zones[in_play_zone(seat)]
        played = [frame.card for frame in g.frames]
        for card in play:
            if card in played:
                moves.lay_off(g, seat, card)
            else:
                moves.throw(g, card)
        play.clear()
        g.frames.clear()
        moves.refill_market(g)
        pass_turn(g)
    elif g.frames:
        frame = g.frames[-1]
        step = PROGRAMS[g.edition][frame.program].steps[frame.at]
        if isinstance(step, Asking) and step.chooser(frame) == seat:
            step.answer(g, frame, (NO_GUESS,))
            frame.at += 1
            run(g)
