"""Bots that play from their seat's view: they look for leaders, shoot when sure enough, and protect allies.

First comes the worth of each equipment card (chapters 7 and 8), then the worth of a move and the bots.

In 100 games of five players, with the sides swapped in turn, a team of strong bots wins 61 % against a team
of plain bots, and a team of plain bots wins 91 % against random legal moves.
In 100 games for each number of players, the team of one strong bot among random players wins 80 to 89 % of
the base game and 64 to 78 % with zombies. With a random player in its seat, the team wins 41 to 52 % and
30 to 43 % of these games. Measure again with ``python -m sessions.modules.goodcop.tests.measure 200``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import UnsetType
from msgspec.structs import replace

from sessions.game import Fate, Seat

from . import moves
from .deductions import Deductions, curiosity, danger, hit
from .moves import AnyMove, CardPosition, EquipmentId, Play, Position, Swap
from .view import SPECIAL, View

#: A card that is worth less than this stays in hand.
WORTH_IT = 1.0
#: The least worth of a shot for firing it, and for taking a gun to fire it later.
FIRE, TAKE_AIM = 2.6, 1.5
#: Added to the worth of playing equipment: that costs no action, so it comes first.
FREE = 20.0
#: Cards that the bot plays in an action phase alone, and cards that it plays while no action is declared.
IN_ACTION = frozenset(
    {"metal_detector", "polygraph", "surveillance_camera", "taser", "truth_serum", "wiretap"}
)
UNDECLARED = frozenset(
    {"alarm_clock", "blackmail", "chainsaw", "crossbow", "defibrillator", "disguise", "evidence_bag"}
    | {"flamethrower", "machete", "med_kit", "planted_evidence", "smoke_grenade", "transfusion_tube"}
    | {"walkie_talkie", "weapon_crate", "zombie_mask"}
)
#: Cards that it never plays at itself, and cards that are of no use to zombies.
AT_OTHERS = frozenset({"alarm_clock", "surveillance_camera", "truth_serum", "walkie_talkie"})
FOR_COPS = frozenset({"defibrillator", "flamethrower", "med_kit", "walkie_talkie"})
#: The cards best kept in hand, the best first; all others are worth the same.
KEEP = ("riot_shield", "restraining_order", "k9_unit", "med_kit", "crossbow", "chainsaw", "taser", "wiretap")
#: The most that chance adds to the plain bot's worth of a move, if that worth is above ``HARMFUL``.
WHIM, HARMFUL = 16.0, -1.0
#: The worth of each ally that a card wins for the team, and the chance of another player's lone victory that
#: the bot risks for it.
CONVERT, RISK = 1.5, 0.02
#: The worth of a wasted card: even a bad action is better.
WASTE = -99.0


def _k9_unit(guess: Deductions, move: Play) -> float:
    """Disarm the player who is about to shoot, or an enemy who aims at a leader of the bot's team."""
    seat = move.target
    if guess.view.declared:
        return 1.1 * danger(guess) if seat == guess.view.turn else 0.0
    if guess.view.phase != "action" or seat == guess.seat:
        return 0.0
    aim = guess.view.players[seat].aim
    foe = 1 - guess.in_team(seat, guess.me.team)
    return foe * guess.threat(aim) / 3 if aim else 0.0


def _coffee(guess: Deductions, move: Play) -> float:
    """Value another turn most when a weapon is aimed at a good target."""
    if guess.view.phase != "end_reaction":
        return 0.0
    return 2.0 if guess.mine.armed and guess.mine.aim and hit(guess, guess.mine.aim) > 1 else 1.1


def _disguise(guess: Deductions, move: Play) -> float:
    """Hide a leader or the infector, the bot's own card first."""
    if move.target == guess.seat:
        return 2.5 if guess.me.leader or "infector" in guess.me.cards else 0.3
    return 1.5 * guess.leads(move.target, guess.me.team) if guess.me.team != "zombie" else 0.0


def _looks(guess: Deductions, move: Play) -> float:
    """Value a look more where a leader may still be hidden."""
    return 1 + sum(curiosity(guess, place) for place in move.looks or ())


def _taser(guess: Deductions, move: Play) -> float:
    """Take the gun of an enemy."""
    aim = guess.view.players[move.target].aim
    foe = 1 - guess.in_team(move.target, guess.me.team)
    return 2 * foe + (0.3 * guess.threat(aim) if aim else 0.0)


def _serum(guess: Deductions, move: Play) -> float:
    """Roll dice again that were bad for the bot's team."""
    dice = guess.view.dice
    if not dice or dice.kind == "infection":
        return 0.0
    leader = float(guess.me.leader) if dice.seat == guess.seat else guess.leads_any(dice.seat)
    if guess.me.team == "zombie":
        return 3 * leader if 1 not in dice.faces else 0.0
    return 9 * leader if 1 in dice.faces else 0.0


def _flames(guess: Deductions, move: Play) -> float:
    """Make zombies aim at themselves that now aim at the bot's team."""
    zombies = [player for player in guess.view.players.values() if player.zombie and player.armed]
    return sum(max(0.0, guess.threat(player.aim)) / 2 for player in zombies if player.aim and player.can_fire)


def _burden(guess: Deductions, seat: Seat) -> float:
    """Return the cost, for the bot's team, of a token on a player's card."""
    mine = guess.me.team
    if guess.view.players[seat].zombie:
        return 0.0
    if mine == "zombie":
        return -guess.leads_any(seat)
    return 2 * guess.leads(seat, mine) + 0.4 * (guess.in_team(seat, mine) - 0.5)


def _exchange(guess: Deductions, swaps: Iterable[Swap]) -> float:
    """Value an exchange of known cards by the allies and the aim that it wins; no other may win alone."""
    swaps = list(swaps)
    gifts = [gift for swap in swaps for gift in ((swap.a.seat, swap.b), (swap.b.seat, swap.a))]
    given = {place.seat: guess.face_at(place) for _seat, place in gifts}
    if "?" in given.values() or guess.seat in given:
        return 0.0
    for seat, place in gifts:
        face = guess.face_at(place)
        if face in SPECIAL and given[seat] not in SPECIAL and guess.wins_alone(seat, face) > RISK:
            return 0.0
    return _change(guess, guess.after_exchange(swaps))


def _place(place: CardPosition | UnsetType) -> CardPosition:
    assert isinstance(place, CardPosition)
    return place


def _change(before: Deductions, after: Deductions) -> float:
    """Return the worth of a change to other players."""
    aim = before.mine.aim
    aimed = hit(after, aim) - hit(before, aim) if aim and before.mine.can_fire else 0.0
    return CONVERT * (after.allies() - before.allies()) + aimed / 3


def _planted_evidence(guess: Deductions, move: Play) -> float:
    """Make an enemy of an ally's look honest cards an ally."""
    player = guess.view.players[move.target]
    planted = replace(player, active=(*player.active, move.card))
    return _change(guess, guess.with_players({move.target: planted})) if move.target != guess.seat else 0.0


def _evidence_bag(guess: Deductions, move: Play) -> float:
    """Take a card, or a coffee, from an enemy and give it to an ally."""
    assert isinstance(move.to, str)
    held = [seat for seat, player in guess.view.players.items() if move.active in player.active]
    holder = move.source if isinstance(move.source, str) else held[0]
    if not (move.source or move.active == "coffee"):
        return 0.0
    return CONVERT * (1 - guess.in_team(holder, guess.me.team)) * guess.in_team(move.to, guess.me.team)


def _smoke_grenade(guess: Deductions, move: Play) -> float:
    """Put off the turn of a player who is about to shoot at the bot's team."""
    order, now = guess.view.order, guess.view.order.index(guess.view.turn)

    def next_threat(direction: int) -> float:
        later = (order[(now + direction * step) % len(order)] for step in range(1, len(order)))
        seat = next(other for other in later if guess.view.players[other].alive)
        player = guess.view.players[seat]
        foe = 1 - guess.in_team(seat, guess.me.team)
        return (
            foe * guess.threat(player.aim) if seat != guess.seat and player.aim and player.can_fire else 0.0
        )

    if guess.view.phase != "end_reaction":
        return 0.0
    return (next_threat(guess.view.direction) - next_threat(-guess.view.direction)) / 3


#: The worth of a play now, by card.
WEIGHTS: dict[EquipmentId, Callable[[Deductions, Play], float]] = {
    "blackmail": lambda guess, move: _exchange(guess, [Swap(_place(move.a), _place(move.b))]),
    "coffee": _coffee,
    # Revive or cure a likely ally; their cards are all face up.
    "defibrillator": lambda guess, move: (
        2 * guess.majority(move.target, guess.me.team)
        if guess.view.players[move.target].zombie
        else 3 * guess.in_team(move.target, guess.me.team)
    ),
    "disguise": _disguise,
    "evidence_bag": _evidence_bag,
    "k9_unit": _k9_unit,
    "med_kit": lambda guess, move: (
        6 * (1.0 if move.target == guess.seat else guess.leads(move.target, guess.me.team))
    ),
    "metal_detector": _looks,
    "planted_evidence": _planted_evidence,
    "polygraph": lambda guess, move: (
        0.0 if guess.me.leader or "infector" in guess.me.cards else 0.7 * guess.unknown(move.target)
    ),
    "restraining_order": lambda guess, move: danger(guess),
    "riot_shield": lambda guess, move: danger(guess),
    "smoke_grenade": _smoke_grenade,
    "surveillance_camera": lambda guess, move: 1.2 * (1 - guess.in_team(move.target, guess.me.team)),
    "taser": _taser,
    "truth_serum": lambda guess, move: 0.9 + curiosity(guess, move.place),
    "walkie_talkie": lambda guess, move: 0.6 * guess.harm(move.target),
    "wiretap": _looks,
    "alarm_clock": lambda guess, move: guess.prey(move.target) / 2 if guess.me.team == "zombie" else 0.0,
    # A card that is known to be no leader card: then its owner is shot.
    "chainsaw": lambda guess, move: (
        guess.harm(move.target) if guess.face_at(move.place) in ("honest", "crooked") else 0.0
    ),
    "crossbow": lambda guess, move: guess.harm(move.target),
    "flamethrower": _flames,
    "machete": lambda guess, move: _exchange(guess, move.pairs or ()),
    "transfusion_tube": lambda guess, move: sum(
        _burden(guess, one.source.seat) - _burden(guess, one.to.seat) for one in move.moves or ()
    ),
    "weapon_crate": lambda guess, move: 1.5 if not guess.mine.armed and guess.tokens(guess.seat) else 0.0,
    "zombie_mask": lambda guess, move: _exchange(guess, [Swap(_place(move.a), _place(move.b))]),
    "zombie_serum": _serum,
}


def strong_bot(view: View, legal: Sequence[AnyMove], fate: Fate) -> AnyMove:
    """Return the best of ``legal``; chance decides between equals."""
    guess = Deductions(view)
    return _best(legal, [_worth(guess, move) for move in legal], fate)


def bot(view: View, legal: Sequence[AnyMove], fate: Fate) -> AnyMove:
    """Return a good move. This bot is ``strong_bot`` with chance added to moves that are not harmful."""
    guess = Deductions(view)
    worths = [_worth(guess, move) for move in legal]
    return _best(
        legal,
        [worth + WHIM * fate.roll("whim", 100) / 100 if worth > HARMFUL else worth for worth in worths],
        fate,
    )


def _best(legal: Sequence[AnyMove], worths: Sequence[float], fate: Fate) -> AnyMove:
    best = max(worths)
    good = [move for move, worth in zip(legal, worths, strict=True) if worth > best - 1e-9]
    return good[fate.roll("equals", len(good)) - 1]


def _worth(guess: Deductions, move: AnyMove) -> float:
    match move:
        case Play():
            return _play(guess, move)
        case moves.Investigate(seat, position):
            return curiosity(guess, CardPosition(seat, position))
        case moves.Arm(reveal, aim):
            return _arm(guess, reveal, aim)
        case moves.Equip(reveal):
            return 0.45 - 0.25 * len(guess.me.hand) - _price(guess, reveal)
        case moves.Shoot():
            assert guess.mine.aim
            harm = guess.harm(guess.mine.aim)
            return 5 + harm if harm >= FIRE else HARMFUL
        case moves.Bite(position):
            return 3.0 + (position or 0) * 0.01
        case moves.Weapon(aim):
            return 2.0 + guess.prey(aim)
        case moves.Aim(seat):
            return hit(guess, seat)
        case moves.Keep():
            now = guess.mine.aim
            return hit(guess, now) + 0.01 if now and now != guess.seat else -9.0
        case moves.Shield(seat):
            return guess.harm(seat)
        case moves.Discard(card):
            return float(KEEP.index(card)) if card in KEEP else float(len(KEEP))
    return 0.0


def _play(guess: Deductions, move: Play) -> float:
    """Return the worth of a play: nothing now, at this target or for this team, if the card is useless so."""
    card = move.card
    useless = (
        (card in IN_ACTION and guess.view.phase != "action")
        or (card in UNDECLARED and guess.view.declared)
        or (card in AT_OTHERS and move.seat == guess.seat)
        or (card in FOR_COPS and guess.me.team == "zombie")
    )
    worth = 0.0 if useless else WEIGHTS[card](guess, move)
    return worth + FREE if worth >= WORTH_IT else WASTE


def _arm(guess: Deductions, reveal: Position | None, aim: Seat) -> float:
    """Return the worth of aiming a new gun at a seat, or zombie arms, if the infector pays for it."""
    if reveal is not None and guess.me.cards[reveal] == "infector":
        return 1 + guess.prey(aim)
    harm = guess.harm(aim)
    return 1 + harm - _price(guess, reveal) if harm >= TAKE_AIM else -1 + harm / 10


def _price(guess: Deductions, reveal: Position | None) -> float:
    """Return the cost of turning an own card up: leaders and the infector stay hidden as long as possible."""
    if reveal is None:
        return 0.0
    return 3.0 if guess.me.cards[reveal] in ("agent", "kingpin", "infector") else 0.2
