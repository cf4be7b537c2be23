"""Dealing the cards and choosing the turn order. [chapters 1 and 2]"""

from __future__ import annotations

from sessions.game import BadTable, Fate, Seat

from .cards import NUMBERS, PLAIN, Card, EquipmentId, Face
from .equipment import BASE, EQUIPMENT, deck
from .options import Options
from .state import Player, State


def setup(seats: list[Seat], options: Options, fate: Fate) -> State:
    """Deal integrity cards and equipment, and shuffle the turn order.

    :raises BadTable: when ``start`` is no seat of this table.
    """
    if options.start not in ("fate", *seats):
        raise BadTable(f"start: there is no seat {options.start}")
    dealt, aside = _integrity(seats, options, fate)
    equipment: list[EquipmentId] = fate.shuffle("equipment", deck(EQUIPMENT if options.zombies else BASE))
    players = {
        seat: Player([Card(face, [seat]) for face in faces], [equipment.pop(0)])
        for seat, faces in zip(seats, dealt, strict=True)
    }
    order = fate.shuffle("seats", seats)
    if options.start != "fate":
        first = order.index(options.start)
        order = [*order[first:], *order[:first]]
    return State(seats, options, players, order, order[0], equipment, aside)


def _integrity(seats: list[Seat], options: Options, fate: Fate) -> tuple[list[list[Face]], list[Face]]:
    """Return each player's three cards and the cards left out; no player gets two special cards. [GC-2.1]"""
    count = len(seats)
    special: list[Face] = ["agent", "kingpin"]
    if options.zombies:
        special.append("infector")
    each = NUMBERS[count][options.zombies]
    plain: list[Face] = [face for face in PLAIN for _ in range(each)]
    rest = fate.shuffle("integrity", plain)
    fill = count - len(special)
    firsts, rest = fate.shuffle("leaders", [*special, *rest[:fill]]), rest[fill:]
    dealt = []
    for first in firsts:
        dealt.append(fate.shuffle("positions", [first, *rest[:2]]))
        rest = rest[2:]
    return dealt, rest
