"""Bots that see only their seat's view, and estimate the worth of the game after each move.

A bot assumes that the opponent lies at times, and knows only those of their cards that were shown. It lies
itself in a part of its declarations, about actions that the opponent can believe. Chance decides between
moves of about the same worth.

In 1,000 games, half of them on each side, the strong bot wins 68 % against the plain one. Against random
legal moves that never concede, the strong bot wins 87 % and the plain one 73 %. Measure again with
``python -m sessions.modules.liarmafia.tests.measure 1000``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, permutations, product
from typing import NamedTuple

from sessions.game import Fate, Seat

from . import moves
from .moves import AnyMove
from .state import ABILITIES, CHARACTERS, FACINGS, SLOTS, Action, Laid, Reaction, Slot, turn_around
from .view import CardsView, MineView, PlayerView, View

#: The worth of a game, from 0 (lost) to 1 (won), by the numbers of own and of opposing cards removed.
WORTH = {(0, 0): 0.5, (1, 0): 0.25, (0, 1): 0.75, (1, 1): 0.5}
#: The chances that an opponent claims an action falsely, doubts an action, and doubts a block.
LIES, DOUBTS, DOUBTS_OF_BLOCKS = 0.2, 0.3, 0.45
#: The chance that an opponent blocks, by action; a murder is blocked most often.
BLOCKS: dict[Action, float] = {"embezzle": 0.2, "smuggle": 0.25, "murder": 0.5}
#: The worth of the chips gained by an action, and of those that a hit costs.
GAINS: dict[Action, float] = {"embezzle": 0.08, "smuggle": 0.13}
PRICE = 0.2

Field = tuple[Laid, Laid]


class Temper(NamedTuple):
    whim: float  # the most that chance adds to a move's worth: the bot is unpredictable, and errs
    nerve: tuple[int, int]  # by own cards removed, the percentage of declarations that are false


PLAIN, STRONG = Temper(0.5, (15, 8)), Temper(0.02, (15, 0))


def bot(view: View, legal: Sequence[AnyMove], fate: Fate) -> AnyMove:
    """Return the move of the seat that has this view; ``legal`` are its legal moves."""
    return _choice(view, legal, fate, PLAIN)


def strong_bot(view: View, legal: Sequence[AnyMove], fate: Fate) -> AnyMove:
    """Return the move of a bot that knows no more than ``bot``, but depends less on chance."""
    return _choice(view, legal, fate, STRONG)


def _choice(view: View, legal: Sequence[AnyMove], fate: Fate, temper: Temper) -> AnyMove:
    assert view.seat
    assert view.me
    assert view.mine
    gone = view.players[view.seat].removed_count
    mind = _Mind(view, view.seat, view.me, view.mine)
    if fate.roll("nerve", 100) <= temper.nerve[gone] and (bluff := mind.bluff(legal, fate)):
        return bluff
    playing: list[AnyMove] = [move for move in legal if not isinstance(move, moves.Concede)]
    worths = [mind.worth(move) for move in playing]
    # The worth 0 of a game that is surely lost stays.
    worths = [worth + temper.whim * fate.roll("whim", 100) / 100 if worth > 0 else worth for worth in worths]
    return playing[worths.index(max(worths))]


@dataclass(frozen=True)
class _Mind:
    """The conclusions of one seat from its view."""

    view: View
    seat: Seat
    me: CardsView
    mine: MineView

    @property
    def own_player(self) -> PlayerView:
        return self.view.players[self.seat]

    @property
    def opponent(self) -> Seat:
        return next(seat for seat in self.view.players if seat != self.seat)

    @property
    def their_player(self) -> PlayerView:
        return self.view.players[self.opponent]

    def bluff(self, legal: Sequence[AnyMove], fate: Fate) -> moves.Declare | None:
        """Return a false declaration, drawn by its gain and by how well the shown cards support it."""
        lies = [move for move in legal if isinstance(move, moves.Declare) and not self._can(move.action)]
        gains = [self._effect(lie.action, against_me=False) - self._standing(0, 0) for lie in lies]
        shares = [
            round(1000 * max(0.0, gain) * self._chance(lie.action, self.seat))
            for lie, gain in zip(lies, gains, strict=True)
        ]
        if not any(shares):
            return None
        drawn = fate.roll("bluff", sum(shares))
        return next(lie for lie, end in zip(lies, accumulate(shares), strict=True) if drawn <= end)

    def worth(self, move: AnyMove) -> float:
        """Return the worth of a move, roughly the chance to win."""
        match move:
            case moves.Declare(action):
                return self._declare(action)
            case moves.Pass() if self.view.phase == "react":
                return self._effect(self._claimed_action, against_me=True)
            case moves.Block():
                return self._block(self._claimed_action)
            case moves.Doubt():
                return self._doubt(self._claimed_action)
            case moves.Pass():
                return self._standing(0, 0)
            case moves.Remove(slot):
                laid = self.me.slots[slot]
                return 0.0 if laid and laid.card == "boss" else 0.5
            case moves.Hit(slot, pay):
                return self._boss_at(slot) + (0.1 if pay in ("one", "ones") else 0)
            case moves.GainChip(how):
                return 0.55 if (how == "take") is (len(self.own_player.chips) < 2) else 0.5
            case moves.Replace(facing):
                return 0.54 if facing == "up" else 0.5
            case _:
                return self._arrangement(move)

    # --- the worth of the game after an event -------------------------------------------------------------

    def _standing(self, lost: int, taken: int) -> float:
        """Return the worth after ``lost`` more own cards and ``taken`` more opposing ones were removed."""
        mine, theirs = self.own_player.removed_count + lost, self.their_player.removed_count + taken
        if mine > 1:
            return 0.0
        return 1.0 if theirs > 1 else WORTH[mine, theirs]

    def _effect(self, action: Action, *, against_me: bool, lost: int = 0, taken: int = 0) -> float:
        """Return the worth after an action, with ``lost`` own and ``taken`` opposing cards removed."""
        now, sign = self._standing(lost, taken), -1 if against_me else 1
        if now in (0.0, 1.0):
            return now
        if action == "allout":
            shows = self._chance(action, self.opponent) if against_me else float(self._can(action))
            return now + shows * ((0.0 if against_me else 1.0) - now)
        if action in ("murder", "assassinate"):
            if against_me:
                boss = any(laid and laid.card == "boss" for laid in self.me.slots)
                return self._standing(lost + 1, taken) * (0.5 if boss else 1.0)
            boss_hit = max(self._boss_at(slot) for slot in SLOTS)
            return boss_hit + (1 - boss_hit) * self._standing(lost, taken + 1) - PRICE
        chips = (self.their_player if against_me else self.own_player).chips
        return now + sign * (GAINS[action] + (0.1 if 2 in chips else 0.0))

    # --- own claims and the opponent's --------------------------------------------------------------------

    @property
    def _claimed_action(self) -> Action:
        assert self.view.claim
        return self.view.claim.action

    def _declare(self, action: Action) -> float:
        doubted, blocked = DOUBTS, BLOCKS.get(action, 0.0)
        true = self._can(action)
        caught = self._effect(action, against_me=False, taken=1) if true else self._standing(1, 0)
        through = self._effect(action, against_me=False)
        return doubted * caught + blocked * self._standing(0, 0) + (1 - doubted - blocked) * through

    def _block(self, action: Action) -> float:
        reaction = self.view.reaction
        doubted = DOUBTS_OF_BLOCKS if reaction else 0.95
        if reaction and self._can(reaction):
            return doubted * self._standing(0, 1) + (1 - doubted) * self._standing(0, 0)
        caught = self._effect(action, against_me=True, lost=1)
        return doubted * caught + (1 - doubted) * self._standing(0, 0)

    def _doubt(self, action: Action) -> float:
        assert self.view.claim
        if self.view.claim.blocked:
            reaction = self.view.reaction
            true = self._chance_after_claim(self._chance(reaction, self.opponent)) if reaction else 0.0
            right = self._effect(action, against_me=False, taken=1)
            return true * self._standing(1, 0) + (1 - true) * right
        true = self._chance_after_claim(self._chance(action, self.opponent))
        wrong = self._effect(action, against_me=True, lost=1)
        return true * wrong + (1 - true) * self._standing(0, 1)

    def _can(self, ability: Action | Reaction) -> bool:
        return ability in self.mine.able

    def _chance(self, ability: Action | Reaction, seat: Seat) -> float:
        """Return the chance that a player's field has an ability, from the cards that the other one has seen.

        In the second edition the claimed card is on the field, and only its facing is uncertain.
        """
        one, fields = ABILITIES[ability], list(self._fields(seat))
        if self.view.options.second_edition:
            fields = [field for field in fields if one.card in (field[0].card, field[1].card)]
        return _share(fields, lambda field: any(one.shown_by(laid) for laid in field))

    def _boss_at(self, slot: Slot) -> float:
        return _share(list(self._fields(self.opponent)), lambda field: field[slot].card == "boss")

    @staticmethod
    def _chance_after_claim(chance: float) -> float:
        """Return the chance that a claim is true, given that it was made: true claims are made more often."""
        return chance / (chance + (1 - chance) * LIES) if chance else 0.0

    def _fields(self, seat: Seat) -> Iterable[Field]:
        """Yield every field that a player may have; without a hand card, after a loss, it includes BOSS."""
        shown, has_hand = self.view.seen[seat], self.view.players[seat].hand_count > 0
        for left, right in permutations(CHARACTERS, 2):
            if not has_hand and "boss" not in (left, right):
                continue
            for facings in product(FACINGS, repeat=2):
                field = (Laid(left, facings[0]), Laid(right, facings[1]))
                if all(seen in (None, laid) for seen, laid in zip(shown, field, strict=True)):
                    yield field

    # --- my own cards -------------------------------------------------------------------------------------

    def _arrangement(self, move: AnyMove) -> float:
        """Return the worth of a placing or an adjustment: more for abilities and for unseen cards."""
        field, unseen = list(self.me.slots), 0.0
        match move:
            case moves.Place(slots):
                field = list(slots)
            case moves.Rotate(slot):
                laid = field[slot]
                field[slot] = turn_around(laid) if laid else None
            case moves.Exchange(slot, facing):
                field[slot] = Laid(self.me.hand[0], facing)
                unseen = 0.05 if self.view.seen[self.seat][slot] else 0.02
        able = [
            name
            for name, ability in ABILITIES.items()
            if any(laid and ability.shown_by(laid) for laid in field)
        ]
        exposed = any(laid and laid.card == "boss" for laid in field) and len(self.their_player.chips) > 0
        rich = self.own_player.chips.count(2) >= 2 and "allout" in able
        # A hitman has two abilities face up. If it always lay so, each assassination would be a lie.
        likes = 0.01 * len(able) + (0.005 if "assassinate" in able else 0.0)
        return likes + unseen + (0.3 if rich else 0.0) - (0.02 if exposed else 0.0)


def _share(fields: Sequence[Field], holds: Callable[[Field], bool]) -> float:
    return sum(holds(field) for field in fields) / max(1, len(fields))
