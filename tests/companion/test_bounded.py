"""A memory with an end."""

from __future__ import annotations

from companion.caches import BoundedDict


def test_one_entry_too_many_empties_it() -> None:
    memory: BoundedDict[int, str] = BoundedDict(2)
    memory[1], memory[2] = "a", "b"
    memory[2] = "c"
    assert memory == {1: "a", 2: "c"}, "what is there already takes no room"
    memory[3] = "d"
    assert memory == {3: "d"}


def test_what_values_count_is_what_is_bounded() -> None:
    memory: BoundedDict[int, str] = BoundedDict(10, len)
    memory[1], memory[2] = "12345", "12345"
    assert memory == {1: "12345", 2: "12345"}
    memory[3] = "1"
    assert memory == {3: "1"}
    memory[4] = "123456789"
    assert memory == {3: "1", 4: "123456789"}
