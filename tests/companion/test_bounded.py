"""A memory with an end."""

from __future__ import annotations

from companion.caches import BoundedDict


def test_a_bounded_dict_is_emptied_when_it_is_full() -> None:
    memory: BoundedDict[int, str] = BoundedDict(2)
    memory[1], memory[2] = "a", "b"
    memory[2] = "c"
    assert memory == {1: "a", 2: "c"}, "what is there already takes no room"
    memory[3] = "d"
    assert memory == {3: "d"}


def test_a_bounded_dict_limits_the_sum_of_the_sizes_of_its_values() -> None:
    memory: BoundedDict[int, str] = BoundedDict(10, len)
    memory[1], memory[2] = "12345", "12345"
    assert memory == {1: "12345", 2: "12345"}
    memory[3] = "1"
    assert memory == {3: "1"}
    memory[4] = "123456789"
    assert memory == {3: "1", 4: "123456789"}
