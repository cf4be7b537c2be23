"""Damage ダメージ処理, after each incident. [TF-7]"""

from __future__ import annotations

from sessions.game import Seat, demand

from .cards import value
from .moves import Discard
from .scene import TwentyFourScene
from .state import NPC, State, Who, has_skill, number_of

HURTS, HURTS_DOKABEN = 2, 3


def limit(state: State, who: Who) -> int:
    """Return how much damage makes a detective badly hurt. [TF-7.2, 9.5]"""
    return HURTS_DOKABEN if has_skill(state, who, "dokaben") else HURTS


def next_hurt(state: State) -> Seat | None:
    """Return the next seat that this incident has hurt, by registration number. [TF-7.6]"""
    hurt = [
        who
        for who, player in state.players.items()
        if who != NPC and not player.out and player.damage >= limit(state, who)
    ]
    return min(hurt, key=lambda who: number_of(state, who), default=None)


def hurt(scene: TwentyFourScene, seat: Seat) -> None:
    """Turn a detective's card over, or let the detective die; ask which card to lose. [TF-7.2, 7.3]"""
    player = scene.state.players[seat]
    if player.hurt:
        player.dead = True
        scene.tell("killed", seat=seat, damage=player.damage)
    else:
        player.hurt = True
        scene.tell("hurt", seat=seat, damage=player.damage)
    if len(player.gained) > 1:
        scene.state.owing = seat
        return
    if player.gained:
        _lose(scene, seat, player.gained[0])
    _leave(scene, seat)


def discard(scene: TwentyFourScene, seat: Seat, move: Discard) -> None:
    """Give up the card of one's choice. [TF-7.2]

    :raises IllegalMove: ``not_gained``.
    """
    demand(move.card in scene.state.players[seat].gained, "not_gained", "TF-7.2")
    scene.state.owing = None
    _lose(scene, seat, move.card)
    _leave(scene, seat)


def _lose(scene: TwentyFourScene, seat: Seat, card: str) -> None:
    player = scene.state.players[seat]
    player.gained.remove(card)
    scene.state.discards.append(card)
    player.assists += 1
    scene.tell("discarded", seat=seat, card=card)


def _leave(scene: TwentyFourScene, seat: Seat) -> None:
    """Put a detective out from the next incident on; a dead one first gets VP for dying on duty. [TF-7.3]"""
    player, judgement = scene.state.players[seat], scene.judgement
    if player.dead:
        player.duty_vp = value(judgement.main) + 6 - judgement.number
        scene.tell("honoured", seat=seat, vp=player.duty_vp, card=judgement.main, incident=judgement.number)
    player.out = True
