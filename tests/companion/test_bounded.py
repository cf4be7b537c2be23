"""A memory with an end."""

from __future__ import annotations

from companion.memory.bounded import Bounded


def test_one_entry_too_many_empties_it() -> None:
    memory: Bounded[int, str] = Bounded(2)
    memory[1], memory[2] = "a", "b"
    memory[2] = "c"
    assert memory == {1: "a", 2: "c"}, "what is there already takes no room"
    memory[3] = "d"
    assert memory == {3: "d"}
