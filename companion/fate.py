"""The randomness of a table: named, replayable, and scriptable for tests and demonstrations. Pure.

Everything random comes from a secret made when the table opens. ``commitment(secret)`` is published
then and the secret itself at the end, so that anyone can check that no shuffle was touched.
"""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from struct import unpack
from typing import Any, Literal, TypeVar

T = TypeVar("T")


def commitment(secret: str) -> str:
    """Return the SHA-256 of the secret in hexadecimal, which a table publishes when it opens."""
    return hashlib.sha256(secret.encode()).hexdigest()


def combine_secret(secret: str, shares: Sequence[str]) -> str:
    """Combine the server's secret with the shares that phones contributed to a table's randomness.

    Shares count in their published order, and any change of them changes the result. Without shares the
    result is the server's secret itself.
    """
    return commitment("\n".join([secret, *shares])) if shares else secret


class Fate:
    """The randomness of one move; the setup of a table is move number 0.

    Same secret, move number, name and use within the move: same outcome, on any Python version.
    (``random.shuffle`` does not guarantee that between versions, hence our own.)
    """

    def __init__(self, secret: str, move_number: int) -> None:
        self._key = f"{secret}/{move_number}".encode()
        self._uses: Counter[str] = Counter()

    @property
    def count(self) -> int:
        return self._uses.total()

    def shuffle(self, name: str, items: Sequence[T]) -> list[T]:
        """Return ``items`` in a new order; index 0 is the top of the pile."""
        below = self._stream(name)
        pile = list(items)
        for i in range(len(pile) - 1, 0, -1):
            j = below(i + 1)
            pile[i], pile[j] = pile[j], pile[i]
        return pile

    def roll(self, name: str, sides: int) -> int:
        """Return 1 … ``sides``."""
        return self._stream(name)(sides) + 1

    def _stream(self, name: str) -> Callable[[int], int]:
        use = self._uses[name]
        self._uses[name] += 1
        counter = 0

        def below(n: int) -> int:
            nonlocal counter
            limit = (1 << 64) - (1 << 64) % n  # reject the uneven tail: no modulo bias
            while True:
                block = f"{name}/{use}/{counter}".encode()
                counter += 1
                draw = int.from_bytes(hmac.digest(self._key, block, hashlib.sha256)[:8], "big")
                if draw < limit:
                    return draw % n

        return below


class Lots(Fate):
    """Randomness that needs no proof: as repeatable as ``Fate``, but many times faster."""

    def __init__(self, seed: str, number: int) -> None:
        super().__init__(seed, number)
        self._numbers = (
            lot
            for block in count()
            for lot in unpack("<128Q", hashlib.shake_128(self._key + b"/%d" % block).digest(1024))
        )

    def _stream(self, name: str) -> Callable[[int], int]:
        self._uses[name] += 1
        return lambda n: next(self._numbers) % n


@dataclass(frozen=True)
class FateRecord:
    """One shuffle or roll: its name, its number among the uses of that name in the move, and its outcome.

    ``items`` is the order before the shuffle, or the numbers of the die.
    """

    kind: Literal["shuffle", "roll"]
    name: str
    use: int
    items: list[Any]
    result: Any


class WitnessedFate(Fate):
    """The randomness of one move. ``drawn`` records every shuffle and roll, in order."""

    def __init__(self, secret: str, move_number: int) -> None:
        super().__init__(secret, move_number)
        self.drawn: list[FateRecord] = []

    def shuffle(self, name: str, items: Sequence[T]) -> list[T]:
        use, before = self._uses[name], list(items)
        result = super().shuffle(name, items)
        self.drawn.append(FateRecord("shuffle", name, use, before, list(result)))
        return result

    def roll(self, name: str, sides: int) -> int:
        use = self._uses[name]
        result = super().roll(name, sides)
        self.drawn.append(FateRecord("roll", name, use, list(range(1, sides + 1)), result))
        return result


class BadFate(ValueError):
    """An impossible scripted outcome: an order that is no permutation, or a roll off the die."""


class ScriptedFate(Fate):
    """The randomness of one move, with some of it scripted in advance.

    ``shuffles[name][k]`` is the order of the k-th shuffle of that name in the whole game and ``rolls``
    likewise; all other outcomes come from the secret. ``used`` counts the uses by earlier moves.
    Afterwards it counts those of this move, too: pass it on to the next move, or drop it after a refusal.
    """

    def __init__(
        self,
        secret: str,
        move_number: int,
        shuffles: Mapping[str, Sequence[Sequence[Any]]],
        rolls: Mapping[str, Sequence[int]],
        used: Counter[str],
    ) -> None:
        super().__init__(secret, move_number)
        self._shuffles, self._rolls = shuffles, rolls
        self.used = used.copy()

    def shuffle(self, name: str, items: Sequence[T]) -> list[T]:
        """Return the scripted order or one from the secret. Raise ``BadFate`` if it is no permutation."""
        by_chance = super().shuffle(name, items)
        order = self._next("shuffle", name, self._shuffles)
        return by_chance if order is None else _apply_order(name, items, order)

    def roll(self, name: str, sides: int) -> int:
        """Return the scripted roll or one from the secret. Raise ``BadFate`` if it is not on the die."""
        by_chance = super().roll(name, sides)
        result = self._next("roll", name, self._rolls)
        if result is None:
            return by_chance
        if not 1 <= result <= sides:
            raise BadFate(f"roll {name!r}: {result} is not on a die of {sides}")
        return result

    def _next(self, what: str, name: str, scripted: Mapping[str, Sequence[T]]) -> T | None:
        use = self.used[f"{what} {name}"]
        self.used[f"{what} {name}"] += 1
        outcomes = scripted.get(name, ())
        return outcomes[use] if use < len(outcomes) else None


def _apply_order(name: str, items: Sequence[T], order: Sequence[Any]) -> list[T]:
    left, pile = list(items), []
    try:
        for item in order:
            pile.append(left.pop(left.index(item)))
    except ValueError:
        raise BadFate(f"shuffle {name!r}: {item!r} is not there to be shuffled") from None
    if left:
        raise BadFate(f"shuffle {name!r}: the order leaves out {left!r}")
    return pile
