"""The view of one seat: an allow-list of what the seat may know, built field by field.

``resample`` makes other states that have the same views.
"""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct

from sessions.game import Fate, Seat, kinds

from .legal import can_pay, legal_moves, waiting_for, ways_to_gain, ways_to_pay
from .moves import Gain, Pay
from .state import (
    ABILITIES,
    ACTIONS,
    BLOCKED_BY,
    FACINGS,
    SLOTS,
    Action,
    Adjusted,
    Character,
    Laid,
    Options,
    Phase,
    Player,
    Reaction,
    ShownCard,
    State,
    field_cards,
)


class ClaimView(Struct, frozen=True):
    seat: Seat
    action: Action
    blocked: bool


class SlotView(Struct, frozen=True):
    """A slot of a field: True if it holds a card."""

    present: bool


class PlayerView(Struct, frozen=True):
    chips: tuple[int, ...]
    ready: bool
    hand_count: int
    removed_count: int
    slots: tuple[SlotView, ...]


class CardsView(Struct, frozen=True):
    """All cards of a player, visible to their owner, and to all at the end."""

    slots: tuple[Laid | None, ...]
    hand: tuple[Character, ...]
    removed: tuple[Character, ...]


class MineView(Struct, frozen=True):
    """The claims that the seat's own cards make true, and the moves that are possible now."""

    able: tuple[Action | Reaction, ...]  # the claims that the own field makes true
    can: tuple[str, ...]  # the types of the moves that are possible now
    pays: tuple[Pay, ...]  # while a hit is chosen: the ways to pay for it
    gains: tuple[Gain, ...]  # while a gain is chosen: the ways to gain


class View(Struct, frozen=True):
    seat: Seat | None
    phase: Phase
    turn: Seat
    turns: int
    waiting_for: tuple[Seat, ...]
    claim: ClaimView | None
    shown: ShownCard | None
    adjusted: Adjusted | None
    stock: int
    options: Options
    players: dict[Seat, PlayerView]
    me: CardsView | None
    reveal: dict[Seat, CardsView] | None
    winners: tuple[Seat, ...] | None
    reason: str | None
    reaction: Reaction | None  # the reaction that blocks the claimed action
    payable: dict[Seat, tuple[Action, ...]]  # the actions that each player can pay for
    seen: dict[Seat, tuple[Laid | None, ...]]  # by slot: a shown card that is still there
    mine: MineView | None


def view(state: State, seat: Seat | None) -> View:
    claim, result = state.claim, state.result
    return View(
        seat=seat,
        phase=state.phase,
        turn=state.turn,
        turns=state.turns,
        waiting_for=tuple(sorted(waiting_for(state))),
        claim=ClaimView(claim.seat, claim.action, claim.blocked) if claim else None,
        shown=state.shown,
        adjusted=state.adjusted,
        stock=state.stock,
        options=state.options,
        players={other: _player(player) for other, player in state.players.items()},
        me=_cards(state.players[seat]) if seat else None,
        reveal={other: _cards(player) for other, player in state.players.items()} if result else None,
        winners=result.winners if result else None,
        reason=result.reason if result else None,
        reaction=BLOCKED_BY.get(claim.action) if claim else None,
        payable={
            other: tuple(action for action in ACTIONS if can_pay(player, action))
            for other, player in state.players.items()
        },
        seen={other: tuple(player.seen) for other, player in state.players.items()},
        mine=_mine(state, seat) if seat else None,
    )


def _player(player: Player) -> PlayerView:
    return PlayerView(
        chips=tuple(player.chips),
        ready=player.ready,
        hand_count=len(player.hand),
        removed_count=len(player.removed),
        slots=tuple(SlotView(laid is not None) for laid in player.slots),
    )


def _cards(player: Player) -> CardsView:
    return CardsView(tuple(player.slots), tuple(player.hand), tuple(player.removed))


def _mine(state: State, seat: Seat) -> MineView:
    player, can = state.players[seat], kinds(legal_moves(state, seat))
    action = state.claim.action if state.claim else None
    lying = field_cards(player)
    return MineView(
        able=tuple(name for name, one in ABILITIES.items() if any(one.shown_by(laid) for laid in lying)),
        can=can,
        pays=tuple(ways_to_pay(player, action)) if action and "hit" in can else (),
        gains=tuple(ways_to_gain(state, player, action)) if action and "gain" in can else (),
    )


def resample(state: State, seats: Collection[Seat], fate: Fate) -> None:
    """Deal all cards again that none of ``seats`` sees; cards that were shown stay in their slots."""
    if state.result:
        return
    for owner, player in state.players.items():
        if player.ready and owner not in seats:
            _deal_unseen(player, fate)


def _deal_unseen(player: Player, fate: Fate) -> None:
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
