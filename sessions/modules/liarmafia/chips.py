"""Gun chips ガンチップ: the costs of actions, and their gains. [LM-1.2, 1.3, 3.5]"""

from __future__ import annotations

from .cards import Action
from .moves import Gain, Pay
from .state import Player, State


def ways_to_pay(player: Player, action: Action) -> list[Pay]:
    """Return the ways in which a player can pay for 殺害 or 暗殺 now."""
    ones, twos = player.chips.count(1), player.chips.count(2)
    ways: dict[Pay, bool] = {}
    if action == "murder":
        ways = {"one": ones > 0, "flip": twos > 0}
    elif action == "assassinate":
        ways = {"two": twos > 0, "ones": ones > 1}
    return [way for way, possible in ways.items() if possible]


def can_pay(player: Player, action: Action) -> bool:
    """True if a player has the chips that an action costs. [LM-3.1]"""
    if action == "allout":
        return player.chips.count(2) >= 2
    return action in ("embezzle", "smuggle") or bool(ways_to_pay(player, action))


def ways_to_gain(state: State, player: Player, action: Action) -> list[Gain]:
    """Return the ways in which 横領 or 密輸 can bring chips now."""
    ways: dict[Gain, bool] = {}
    if action == "embezzle":
        ways = {"take": state.stock > 0, "turn": 1 in player.chips}
    elif action == "smuggle":
        forced = player.chips == [1, 2]
        ways = {"take": state.stock > 0 and not forced, "turn": forced}
    return [way for way, possible in ways.items() if possible]


def gain(state: State, player: Player, action: Action, how: Gain) -> None:
    """Take a chip from the stock, or turn a 1 into a 2."""
    if how == "take":
        state.stock -= 1
        _add_chip(player, 1 if action == "embezzle" else 2)
    else:
        player.chips.remove(1)
        _add_chip(player, 2)


def pay(state: State, player: Player, way: Pay) -> None:
    """Return chips to the stock, or turn a 2 into a 1."""
    if way == "flip":
        player.chips.remove(2)
        _add_chip(player, 1)
    else:
        spent = {"one": [1], "two": [2], "ones": [1, 1]}[way]
        give_back(state, player, spent)


def give_back(state: State, player: Player, spent: list[int]) -> None:
    """Return these chips to the stock."""
    for chip in spent:
        player.chips.remove(chip)
        state.stock += 1


def _add_chip(player: Player, chip: int) -> None:
    player.chips = sorted([*player.chips, chip])
