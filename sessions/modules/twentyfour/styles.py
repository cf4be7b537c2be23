"""The end of a season: masterminds 黒幕, Stand or Coop, recovery. [TF-8]"""

from __future__ import annotations

from sessions.game import Seat, demand

from .cards import is_mastermind, suit
from .moves import SetStyle
from .scene import TwentyFourScene
from .state import NPC, Player, everybody


def close_incidents(scene: TwentyFourScene) -> None:
    """Let masterminds escape or be arrested, then ask for the styles. [TF-8.1]"""
    state = scene.state
    for who in everybody(state):
        player = state.players[who]
        for card in [card for card in player.gained if is_mastermind(card)]:
            if state.season > 1 and holds(player, card):
                scene.tell("arrested", seat=who, card=card)
                continue
            player.gained.remove(card)
            state.discards.append(card)
            player.assists += 1
            scene.tell("escaped", seat=who, card=card)
    state.judgement, state.phase = None, "style"


def holds(player: Player, mastermind: str) -> bool:
    """True if a Stand of earlier seasons is enough to arrest this mastermind."""
    return any(suit(card) == suit(mastermind) for card in player.stand)


def set_style(scene: TwentyFourScene, seat: Seat, move: SetStyle) -> None:
    """Choose the cards for Stand, or change that choice until all have chosen. [TF-8.2]

    :raises IllegalMove: ``nothing_gained``, ``card_twice``, ``not_gained``.
    """
    player = scene.state.players[seat]
    demand(player.gained, "nothing_gained", "TF-8.2")
    demand(len(set(move.stand)) == len(move.stand), "card_twice", "TF-8.2")
    demand(set(move.stand) <= set(player.gained), "not_gained", "TF-8.2")
    again = player.style is not None
    player.style = sorted(move.stand)
    if again:
        scene.whisper(seat, "styled_anew", seat=seat)
    else:
        scene.tell("styled", seat=seat)


def close_season(scene: TwentyFourScene) -> None:
    """Turn the styles up; remove all damage, and let all but the dead return. [TF-8.2, 8.3]"""
    for who in everybody(scene.state):
        player = scene.state.players[who]
        chosen = player.style or []
        stand = sorted(card for card in player.gained if card in chosen)
        coop = sorted(card for card in player.gained if card not in chosen)
        player.stand += stand
        player.coop += coop
        if player.gained:
            scene.tell("set", seat=who, stand=stand, coop=coop, npc=who == NPC)
        player.gained, player.style, player.damage = [], None, 0
        player.out = player.dead
    scene.tell("season_ended", season=scene.state.season)
