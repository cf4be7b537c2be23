"""A player's bot, for rehearsals: it answers questions and fights. It sees only its own view."""

from __future__ import annotations

from collections.abc import Sequence

from companion.cards import Card, is_joker, rank
from sessions.game import Fate

from .moves import AnyMove, Attack, Draw, Observe, Play, Stop
from .view import MyView, View


def bot(view: View, legal: Sequence[AnyMove], fate: Fate) -> AnyMove:
    """Return the move of a plausible player: a card that fits, else 山引; in its turn a sure attack."""
    assert view.me
    if plays := [move for move in legal if isinstance(move, Play)]:
        return _answer(view.me, plays, legal)
    return _act(view, view.me) if "observe" in view.me.can else legal[0]


def fitting(me: MyView) -> list[Card]:
    """Return the cards that would succeed now, jokers and high cards last."""
    cards = [fit.card for fit in me.fits if fit.success]
    return sorted(cards, key=lambda card: (is_joker(card), rank(card), card))


def _answer(me: MyView, plays: Sequence[Play], legal: Sequence[AnyMove]) -> AnyMove:
    if cards := fitting(me):
        return next(play for play in plays if play.card == cards[0])
    return next((move for move in legal if isinstance(move, Stop | Draw)), plays[0])


def _act(view: View, me: MyView) -> AnyMove:
    """Attack a foe who is up, at the highest difficulty where a hand card surely succeeds; else watch."""
    foes = [npc.id for npc in view.npcs if npc.hp is None or npc.hp > 0]
    sure = [
        (difficulty, way)
        for way in me.ways
        for prospects in way.prospects.values()
        for difficulty, prospect in enumerate(prospects, 1)
        if prospect == "yes"
    ]
    if not foes:
        return Observe(None)
    difficulty, way = max(sure, key=lambda one: one[0]) if sure else (1, None)
    weapon, skill = (way.weapon, 0 if way.skill else None) if way else (None, None)
    return Attack(None, foes[0], difficulty, weapon, skill, False)
