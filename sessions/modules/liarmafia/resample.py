"""A random state that some seats cannot distinguish from the current one."""

from __future__ import annotations

from collections.abc import Collection

from sessions.game import Fate, Seat

from .state import FACINGS, SLOTS, Character, Laid, Player, State


def resample(state: State, seats: Collection[Seat], fate: Fate) -> None:
    """Deal all cards again that none of ``seats`` sees; cards that were shown stay in their slots."""
    if state.result:
        return
    for owner, player in state.players.items():
        if player.ready and owner not in seats:
            _lay_anew(player, fate)


def _lay_anew(player: Player, fate: Fate) -> None:
    """Deal a player's unknown cards again; BOSS never becomes a removed card, as that ends the game."""
    unseen = [slot for slot in SLOTS if player.slots[slot] and not player.seen[slot]]
    cards = [laid.card for slot in unseen if (laid := player.slots[slot])]
    dealt = fate.shuffle("cards", [*cards, *player.hand, *player.removed])
    while player.removed and dealt[-1] == "boss":
        dealt = fate.shuffle("cards", dealt)
    for slot in unseen:
        player.slots[slot] = Laid(dealt.pop(0), FACINGS[fate.roll("facing", 2) - 1])
    count = len(player.hand)
    hand: list[Character] = dealt[:count]
    player.hand, player.removed = hand, dealt[count:]
