"""Judgement 判定: powers, heroes, and who may challenge. [TF-5]"""

from __future__ import annotations

from sessions.game import IllegalMove, Seat

from .cards import HERO, SIDES, Action, suit
from .moves import Challenge
from .scene import TwentyFourScene
from .state import NPC, ChallengeRoll, Judgement, Player, State, Who, has_skill, number_of, present

#: The damage of a failed die. [TF-5.8]
DAMAGE = {"green": 1, "red": 2}
#: The power from a die that succeeds; a great success gives one more. [TF-5.7]
BONUS = {"green": 1, "red": 2}
CLASHING_SCOTCH = 3


def open_incident(scene: TwentyFourScene, number: int) -> None:
    """Turn up the second cards of those present, count powers, and ask those who may challenge. [TF-5.1]"""
    state, here = scene.state, present(scene.state)
    column = state.layout[number - 1]
    assert column.main
    assert column.sub
    for who in here:
        state.players[who].shown = number
    heroes = [who for who in here if HERO in pair(state, who, number)]
    clash = heroes if len(heroes) > 1 else []
    powers = {who: sum(worth(state, who, card, clash) for card in pair(state, who, number)) for who in here}
    judgement = Judgement(
        number=number,
        main=column.main,
        sub=column.sub,
        powers=powers,
        hero=heroes[0] if len(heroes) == 1 else None,
        clash=clash,
        deciders=[],
    )
    state.judgement, state.phase = judgement, "challenge"
    judgement.deciders = _deciders(state, judgement)
    scene.tell(
        "judged",
        incident=number,
        powers=dict(powers),
        cards={who: pair(state, who, number) for who in here},
        hero=judgement.hero,
        clash=list(clash),
    )


def pair(state: State, who: Who, number: int) -> list[Action]:
    """Return the two cards at an incident of a player who is present."""
    player = state.players[who]
    assert player.first
    assert player.second
    return [player.first[number - 1], player.second[number - 1]]


def worth(state: State, who: Who, card: Action, clash: list[Who]) -> int:
    """Return the power of an action card; a hero counts 0, Scotch's 3 in a clash. [TF-5.2, 9.1]"""
    if card != HERO:
        return int(card)
    return CLASHING_SCOTCH if who in clash and has_skill(state, who, "scotch") else 0


def highest(judgement: Judgement) -> list[Who]:
    """Return all with the highest power: a lone hero's owner, else the largest sums. [TF-5.2, 5.4]"""
    if judgement.hero:
        return [judgement.hero]
    most = max(judgement.powers.values(), default=0)
    return sorted(who for who, power in judgement.powers.items() if power == most)


def _deciders(state: State, judgement: Judgement) -> list[Seat]:
    """Return the deciding seats in order; Wolf, when highest, after all others. [TF-5.3, 5.4, 5.5, 9.2]"""
    top = highest(judgement)
    players = [who for who in judgement.powers if who != NPC]
    players.sort(key=lambda who: (judgement.powers[who], number_of(state, who)))
    late = [who for who in players if who in top and has_skill(state, who, "wolf")]
    return [who for who in players if who not in top] + late


def guard(player: Player, main: str, sub: str) -> int:
    """Return how much damage a Stand prevents at an incident. [TF-5.9]"""
    return sum(suit(card) in (suit(main), suit(sub)) for card in player.stand)


def decline(scene: TwentyFourScene, seat: Seat) -> None:
    """Decline to challenge.

    :raises IllegalMove: as ``_decide``.
    """
    _decide(scene, seat)
    scene.judgement.declined.append(seat)
    scene.tell("declined", seat=seat, incident=scene.judgement.number)


def challenge(scene: TwentyFourScene, seat: Seat, move: Challenge) -> None:
    """Roll one or two dice against the incident number. [TF-5.6 to 5.10]

    :raises IllegalMove: as ``_decide``.
    """
    _decide(scene, seat)
    state, judgement = scene.state, scene.judgement
    faces = {
        die: scene.fate.roll(die, SIDES) if move.dice in (die, "both") else None for die in ("green", "red")
    }
    rolled = {die: face for die, face in faces.items() if face is not None}
    won = {die: face for die, face in rolled.items() if face > judgement.number}
    bonus = sum(BONUS[die] + (face == SIDES) for die, face in won.items())
    damage = sum(DAMAGE[die] for die in rolled if die not in won)
    prevented = min(damage, guard(state.players[seat], judgement.main, judgement.sub))
    judgement.powers[seat] += bonus
    state.players[seat].damage += damage - prevented
    state.dice = ChallengeRoll(
        season=state.season,
        incident=judgement.number,
        seat=seat,
        dice=move.dice,
        green=faces["green"],
        red=faces["red"],
        bonus=bonus,
        damage=damage - prevented,
        prevented=prevented,
    )
    judgement.challenges.append(state.dice)
    scene.tell(
        "challenged",
        seat=seat,
        incident=judgement.number,
        dice=move.dice,
        green=faces["green"],
        red=faces["red"],
        bonus=bonus,
        damage=damage - prevented,
        prevented=prevented,
    )


def _decide(scene: TwentyFourScene, seat: Seat) -> None:
    """Accept the decision of the seat that decides now.

    :raises IllegalMove: ``out``, ``has_decided``, ``highest``, ``not_asked`` for any other seat.
    """
    judgement = scene.judgement
    if seat == judgement.deciders[0]:
        judgement.deciders.pop(0)
    elif seat not in judgement.powers:
        raise IllegalMove("out", rule="TF-7.4")
    elif seat in judgement.declined or any(seat == one.seat for one in judgement.challenges):
        raise IllegalMove("has_decided", rule="TF-5.3")
    elif seat not in judgement.deciders:
        raise IllegalMove("highest", rule="TF-5.4")
    else:
        raise IllegalMove("not_asked", rule="TF-5.3")
