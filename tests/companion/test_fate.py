"""The same fate on every machine, no modulo bias, and scripted outcomes."""

import hashlib
from collections import Counter

import pytest

from companion.fate import BadFate, Fate, Lots, ScriptedFate, commitment


def scripted(shuffles=None, rolls=None, used=None, number=1) -> ScriptedFate:
    return ScriptedFate("secret", number, shuffles or {}, rolls or {}, used or Counter())


def test_fate_draws_the_same_outcomes_in_every_version() -> None:
    """If this fails, no stored table can be replayed any more."""
    fate = Fate("secret", 7)
    assert fate.shuffle("deck", list("abcdefgh")) == list("bgdcahfe")
    assert [fate.roll("green", 8) for _ in range(10)] == [8, 2, 5, 7, 1, 5, 5, 4, 8, 4]


def test_a_shuffle_depends_on_secret_move_name_and_use() -> None:
    items = list(range(20))
    fate = Fate("secret", 1)
    orders = [
        fate.shuffle("deck", items),
        fate.shuffle("deck", items),
        fate.shuffle("seating", items),
        Fate("secret", 2).shuffle("deck", items),
        Fate("other", 1).shuffle("deck", items),
    ]
    assert len({tuple(order) for order in orders}) == 5
    assert Fate("secret", 1).shuffle("deck", items) == orders[0]


def test_a_shuffle_returns_a_new_list() -> None:
    items = [1, 2, 3]
    Fate("secret", 1).shuffle("deck", items)
    assert items == [1, 2, 3]
    assert Fate("secret", 1).shuffle("deck", []) == []


def test_every_order_of_a_shuffle_is_about_as_likely() -> None:
    orders = Counter(tuple(Fate("secret", n).shuffle("deck", "abc")) for n in range(6000))
    assert len(orders) == 6
    assert all(850 < count < 1150 for count in orders.values())


def test_a_roll_rejects_random_numbers_in_the_uneven_tail(monkeypatch: pytest.MonkeyPatch) -> None:
    """With six sides 2**64 leaves a tail of four, and a draw in it must be drawn again, not wrapped."""
    draws = iter([(2**64 - 1).to_bytes(8, "big"), (2**64 - 5).to_bytes(8, "big")])
    monkeypatch.setattr("companion.fate.hmac.digest", lambda *args: next(draws))
    assert Fate("secret", 1).roll("die", 6) == (2**64 - 5) % 6 + 1


def test_the_commitment_is_the_sha256_of_the_secret() -> None:
    assert commitment("秘密") == hashlib.sha256("秘密".encode()).hexdigest()


def test_scripted_shuffles_are_used_in_order_across_moves() -> None:
    script = {"deck": [["b", "a"], ["a", "b"]]}
    first = scripted(script)
    assert first.shuffle("deck", ["a", "b"]) == ["b", "a"]
    second = scripted(script, used=first.used, number=2)
    assert second.shuffle("deck", ["a", "b"]) == ["a", "b"]


def test_scripted_shuffles_of_a_refused_move_are_not_used_up() -> None:
    used: Counter[str] = Counter()
    scripted({"deck": [["b", "a"]]}, used=used).shuffle("deck", ["a", "b"])
    assert not used


def test_shuffles_beyond_the_script_come_from_the_secret() -> None:
    fate, plain = scripted({"deck": [[1, 2, 3]]}), Fate("secret", 1)
    plain.shuffle("deck", [3, 2, 1])
    assert fate.shuffle("deck", [3, 2, 1]) == [1, 2, 3]
    assert fate.shuffle("deck", [3, 2, 1]) == plain.shuffle("deck", [3, 2, 1])
    assert fate.roll("green", 8) == Fate("secret", 1).roll("green", 8)


@pytest.mark.parametrize("order", [["a"], ["a", "b", "b"], ["a", "c"], ["a", "b", "c"], [["a"], "b"], []])
def test_a_scripted_order_that_is_no_permutation_is_refused(order: list[object]) -> None:
    with pytest.raises(BadFate):
        scripted({"deck": [order]}).shuffle("deck", ["a", "b"])


def test_a_scripted_roll_off_the_die_is_refused() -> None:
    fate = scripted(rolls={"green": [8, 1, 9, 0]})
    assert [fate.roll("green", 8), fate.roll("green", 8)] == [8, 1]
    for _ in range(2):
        with pytest.raises(BadFate):
            fate.roll("green", 8)


def test_lots_are_repeatable_uniform_and_counted() -> None:
    orders = Counter(tuple(Lots("seed", n).shuffle("deck", "abc")) for n in range(6000))
    assert len(orders) == 6
    assert all(850 < count < 1150 for count in orders.values())
    lots, again = Lots("seed", 1), Lots("seed", 1)
    assert [lots.roll("a", 1000) for _ in range(200)] == [again.roll("a", 1000) for _ in range(200)]
    assert lots.count == 200


def test_fate_counts_its_shuffles_and_rolls() -> None:
    fate = Fate("secret", 1)
    assert fate.count == 0
    fate.shuffle("deck", [1, 2])
    fate.roll("die", 6)
    assert fate.count == 2
    asked = scripted(rolls={"die": [3]})
    asked.roll("die", 6)
    assert asked.count == 1
