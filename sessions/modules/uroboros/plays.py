"""The answers of the seat that is asked: hand cards, 山引, giving up, stopping. [UC-4.4 to 4.7, 5.2]"""

from __future__ import annotations

from companion.cards import Card, Suit, is_joker
from sessions.game import IllegalMove, Seat, demand

from . import secret_checks, telling
from .asking import asked_side, draws, joins, verdict_on
from .hands import take
from .moves import NameSuit, Play
from .piles import lay, top_card
from .scene import Scene
from .state import Task
from .tasks import laid, side_done


def play(scene: Scene, task: Task, seat: Seat, move: Play) -> None:
    """Play a hand card, even one that cannot succeed. [UC-4.4, 4.5]

    :raises IllegalMove: ``not_in_hand``, ``suit_needed``, ``suit_not_wanted``.
    """
    take(scene.state, seat, move.card)
    named = move.suit or None
    demand(named or not is_joker(move.card), "suit_needed", "UC-4.4")
    demand(is_joker(move.card) or not named, "suit_not_wanted", "UC-4.4")
    success = _play_card(scene, task, move.card, named, source="hand")
    laid(scene, task, success=success)


def draw(scene: Scene, task: Task) -> None:
    """山引: play the top card of the deck. A joker's suit is named next, unless it lies face down. [UC-4.6]

    :raises IllegalMove: ``no_draw``, ``no_card_left``.
    """
    demand(draws(task), "no_draw", "UC-9.2" if task.kind == "interrupt" else "UC-5.2")
    card = top_card(scene)
    if card is None:
        raise IllegalMove("no_card_left", rule="UC-4.6")
    asked_side(task).drew = True
    success = _play_card(scene, task, card, None, source="deck")
    if is_joker(card) and not task.secrecy:
        task.stage = "name"
    else:
        laid(scene, task, success=success)


def name_suit(scene: Scene, task: Task, move: NameSuit) -> None:
    """Name the suit of the joker that came by 山引. [UC-4.6]"""
    side, state = asked_side(task), scene.state
    state.field_suit = move.suit
    telling.record_suit(state, task, move.suit)
    scene.tell("named", seat=side.seat, npc=side.npc, card=state.pile[-1], suit=move.suit)
    laid(scene, task, success=True)


def give_up(scene: Scene, task: Task) -> None:
    """Fail without a card; the field does not change. [UC-4.7]

    :raises IllegalMove: ``card_played``.
    """
    side = asked_side(task)
    demand(not side.cards, "card_played", "UC-4.7")
    scene.tell("gave_up", seat=side.seat, npc=side.npc)
    side_done(scene, task)


def stop(scene: Scene, task: Task) -> None:
    """End a chain that has begun. [UC-5.2]

    :raises IllegalMove: ``not_now``, ``no_card_played``.
    """
    side = asked_side(task)
    demand(task.chain, "not_now", "UC-5.2")
    demand(side.cards, "no_card_played", "UC-5.2")
    scene.tell("stopped", seat=side.seat, npc=side.npc, count=side.successes)
    side_done(scene, task)


def _play_card(scene: Scene, task: Task, card: Card, suit: Suit | None, *, source: str) -> bool:
    """Judge a card, lay it in any case, and return whether it succeeds. [UC-4.5]"""
    side, verdict = asked_side(task), verdict_on(scene.state, task, card)
    bond = joins(scene.state, task, card)
    side.cards.append(card)
    side.successes += verdict.success
    who = {"seat": side.seat, "npc": side.npc, "source": source}
    what = {"card": card, "suit": suit, "success": verdict.success, "why": verdict.why}
    if task.secrecy:
        secret_checks.lay_face_down(scene.state, task, card, suit, bond)
        to = secret_checks.readers(side.seat, task.secrecy)
        scene.tell("laid", number=task.number, **who)
        scene.seal(task.number, to, "played", secret=task.secrecy, level=task.level, **who, **what)
    else:
        lay(scene.state, card, suit, bond)
        telling.record_card(scene.state, task)
        scene.tell("played", **who, **what)
    return verdict.success
