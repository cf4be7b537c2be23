"""An incident: judgement 判定, resolution 解決, and damage ダメージ処理. [TF-5, 6, 7]

Judgement counts powers and lets players challenge; resolution hands out the event cards; damage comes
last. The odds of the dice, which a player may weigh before a challenge, follow from all three.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import groupby, product

from msgspec import Struct
from msgspec.structs import asdict

from sessions.game import IllegalMove, Seat, demand

from .moves import Challenge, Discard, Take
from .state import (
    HERO,
    NPC,
    SIDES,
    Action,
    ChallengeRoll,
    Dice,
    Judgement,
    Player,
    Rank,
    Solved,
    State,
    TwentyFourScene,
    Who,
    everybody,
    has_skill,
    number_of,
    present,
    suit,
    value,
)

#: The dice of each choice. [TF-5.6]
CHOICES: dict[Dice, tuple[str, ...]] = {"green": ("green",), "red": ("red",), "both": ("green", "red")}
#: The damage of a failed die. [TF-5.8]
DAMAGE = {"green": 1, "red": 2}
#: The power from a die that succeeds; a great success gives one more. [TF-5.7]
BONUS = {"green": 1, "red": 2}
MOST_BONUS = 5
CLASHING_SCOTCH = 3
Strength = tuple[bool, int, int]  # a lone hero, the power, the first card
HURTS, HURTS_DOKABEN = 2, 3


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
    """Decline to challenge."""
    _decide(scene, seat)
    scene.judgement.declined.append(seat)
    scene.tell("declined", seat=seat, incident=scene.judgement.number)


def challenge(scene: TwentyFourScene, seat: Seat, move: Challenge) -> None:
    """Roll one or two dice against the incident number. [TF-5.6 to 5.10]"""
    _decide(scene, seat)
    state, judgement = scene.state, scene.judgement
    rolled = {die: scene.fate.roll(die, SIDES) for die in CHOICES[move.dice]}
    bonus, damage = _read_dice(rolled, judgement.number)
    prevented = min(damage, guard(state.players[seat], judgement.main, judgement.sub))
    judgement.powers[seat] += bonus
    state.players[seat].damage += damage - prevented
    state.dice = ChallengeRoll(
        season=state.season,
        incident=judgement.number,
        seat=seat,
        dice=move.dice,
        green=rolled.get("green"),
        red=rolled.get("red"),
        bonus=bonus,
        damage=damage - prevented,
        prevented=prevented,
    )
    judgement.challenges.append(state.dice)
    data = asdict(state.dice)
    del data["season"]
    scene.tell("challenged", **data)


def _read_dice(rolled: Mapping[str, int], number: int) -> tuple[int, int]:
    """Return the power and the damage that dice bring at an incident. [TF-5.6 to 5.8]"""
    bonus = sum(BONUS[die] + (face == SIDES) for die, face in rolled.items() if face > number)
    return bonus, sum(DAMAGE[die] for die, face in rolled.items() if face <= number)


def _decide(scene: TwentyFourScene, seat: Seat) -> None:
    """Accept the decision of the seat that decides now, and refuse that of any other."""
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


def standings(state: State, judgement: Judgement) -> list[list[Who]]:
    """Return the present players and NPC by rank, first rank first; ties share a rank. [TF-6.1 to 6.4]"""
    return ranks(strengths(state, judgement))


def ranks(by_who: Mapping[Who, Strength]) -> list[list[Who]]:
    """Return all by rank, first rank first; ties share a rank."""
    ordered = sorted(by_who, key=lambda who: by_who[who], reverse=True)
    return [list(tied) for _, tied in groupby(ordered, key=lambda who: by_who[who])]


def strengths(state: State, judgement: Judgement) -> dict[Who, Strength]:
    """Return the strength of all present, the NPC last; a larger one ranks higher. [TF-6.1 to 6.3]"""
    return {
        who: (
            who == judgement.hero,
            judgement.powers[who],
            worth(state, who, pair(state, who, judgement.number)[0], judgement.clash),
        )
        for who in everybody(state)
        if who in judgement.powers
    }


def resolve(scene: TwentyFourScene) -> None:
    """Let Hibachi choose if he is alone first and his skill is at work, else hand out the cards. [TF-9.3]"""
    state = scene.state
    first = next(iter(standings(state, scene.judgement)), [])
    if len(first) == 1 and has_skill(state, first[0], "hibachi"):
        state.taker, state.phase = first[0], "take"
    else:
        _hand_out(scene, "main")


def take(scene: TwentyFourScene, move: Take) -> None:
    """Hand out the cards as Hibachi chose. [TF-9.3]"""
    scene.state.taker = None
    _hand_out(scene, move.rank)


def _hand_out(scene: TwentyFourScene, first_takes: Rank) -> None:
    """Give first and second their cards; for a tie, discard the card and give assists. [TF-6.1, 6.4]"""
    state, judgement = scene.state, scene.judgement
    ranks = [*standings(state, judgement), [], []][:2]
    cards = {"main": judgement.main, "sub": judgement.sub}
    taken: dict[str, Who | None] = {}
    rows: tuple[Rank, Rank] = ("main", "sub") if first_takes == "main" else ("sub", "main")
    for place, (row, rank) in enumerate(zip(rows, ranks, strict=True), 1):
        taken[row] = rank[0] if len(rank) == 1 else None
        if len(rank) == 1:
            state.players[rank[0]].gained.append(cards[row])
            scene.tell("took", seat=rank[0], card=cards[row], row=row, place=place)
            continue
        state.discards.append(cards[row])
        for who in rank:
            state.players[who].assists += 1
        scene.tell("untaken", card=cards[row], row=row, tied=list(rank))
    column = state.layout[judgement.number - 1]
    column.main = column.sub = None
    state.solved.append(
        Solved(
            number=judgement.number,
            main=judgement.main,
            sub=judgement.sub,
            main_to=taken["main"],
            sub_to=taken["sub"],
            tied_first=tuple(ranks[0]) if len(ranks[0]) > 1 else (),
            tied_second=tuple(ranks[1]) if len(ranks[1]) > 1 else (),
        )
    )
    state.phase = "discard"


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
    """Give up the card of one's choice. [TF-7.2]"""
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


class Odds(Struct, frozen=True):
    """The chances of one choice of dice, in percent; ranks assume that no other seat challenges after it."""

    dice: Dice
    success: int  # at least one die succeeds
    great: int  # at least one shows an 8
    first: int
    second: int
    damage: int  # any damage is left over
    hurt: int  # enough damage to be badly hurt
    bonus: float  # on average


class Throw(Struct, frozen=True):
    """One way the dice may fall."""

    bonus: int
    damage: int  # after what a Stand prevents
    great: bool


@cache
def throws(dice: Dice, number: int, prevents: int) -> tuple[Throw, ...]:
    """Return every way the dice may fall, each as likely as any other."""
    found = []
    for faces in product(range(1, SIDES + 1), repeat=len(CHOICES[dice])):
        bonus, damage = _read_dice(dict(zip(CHOICES[dice], faces, strict=True)), number)
        found.append(Throw(bonus, max(damage - prevents, 0), SIDES in faces))
    return tuple(found)


def odds(state: State, judgement: Judgement, seat: Seat, by_who: Mapping[Who, Strength]) -> tuple[Odds, ...]:
    """Return the odds of each choice of dice for ``seat`` at this incident."""
    player = state.players[seat]
    return _odds(
        judgement.number,
        guard(player, judgement.main, judgement.sub),
        limit(state, seat) - player.damage,
        places(by_who, seat),
    )


# Cached, because every seat's screen shows the same odds.
@lru_cache(maxsize=1024)
def _odds(number: int, prevents: int, left: int, places: tuple[int, ...]) -> tuple[Odds, ...]:
    return tuple(_chances(dice, throws(dice, number, prevents), left, places) for dice in CHOICES)


def _chances(dice: Dice, ways: Sequence[Throw], left: int, places: Sequence[int]) -> Odds:
    """Return the odds of ``dice``.

    :param left: the damage that would hurt badly.
    :param places: the rank for each bonus, from 0 on; 0 for a tie.
    """

    def percent(hits: list[bool]) -> int:
        return round(100 * sum(hits) / len(hits))

    return Odds(
        dice=dice,
        success=percent([way.bonus > 0 for way in ways]),
        great=percent([way.great for way in ways]),
        first=percent([places[way.bonus] == 1 for way in ways]),
        second=percent([places[way.bonus] == 2 for way in ways]),
        damage=percent([way.damage > 0 for way in ways]),
        hurt=percent([way.damage >= left for way in ways]),
        bonus=round(sum(way.bonus for way in ways) / len(ways), 2),
    )


def places(by_who: Mapping[Who, Strength], seat: Seat) -> tuple[int, ...]:
    """Return the rank that ``seat`` would have with each bonus, from 0 on; 0 for a tie."""
    hero, power, card = by_who[seat]
    others = {strength for who, strength in by_who.items() if who != seat}
    mine = [(hero, power + bonus, card) for bonus in range(MOST_BONUS + 1)]
    return tuple(0 if own in others else 1 + sum(other > own for other in others) for own in mine)
