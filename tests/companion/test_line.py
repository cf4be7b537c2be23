"""A line: how many work, whose turn it is, and what place one has."""

from __future__ import annotations

import asyncio

import pytest

from companion.requests.queue import Capacity, RequestQueue, Turn, Visitor
from companion.requests.queue_middleware import HEAVY, PAGES
from companion.requests.throttle import TooManyRequests

HOUSE, CAFE = "192.0.2.1", "192.0.2.2"
A, B, C = Visitor("a", HOUSE), Visitor("b", HOUSE), Visitor("c", CAFE)


@pytest.fixture
def line() -> RequestQueue:
    return RequestQueue(
        Capacity(at_once=3, of_an_address=2, of_a_person=1, waiting_of_an_address=5, waiting_of_a_person=3)
    )


def who_works(turns: dict[str, tuple[Visitor, Turn]]) -> set[str]:
    return {name for name, (_, turn) in turns.items() if turn.done()}


def ask(line: RequestQueue, turns: dict[str, tuple[Visitor, Turn]], who: Visitor, *names: str) -> None:
    for name in names:
        turns[name] = who, line.join(who)


def end(line: RequestQueue, turns: dict[str, tuple[Visitor, Turn]], *names: str) -> None:
    for name in names:
        line.leave(*turns.pop(name))


async def test_the_queue_runs_one_request_a_person_and_others_do_not_wait(line: RequestQueue) -> None:
    turns: dict[str, tuple[Visitor, Turn]] = {}
    ask(line, turns, A, "a1", "a2", "a3")
    ask(line, turns, B, "b1")
    ask(line, turns, C, "c1")
    assert who_works(turns) == {"a1", "b1", "c1"}
    end(line, turns, "a1")
    assert who_works(turns) == {"a2", "b1", "c1"}


async def test_a_person_with_more_requests_queues_behind_the_others() -> None:
    line = RequestQueue(Capacity(1, 1, 1, waiting_of_an_address=9, waiting_of_a_person=9))
    turns: dict[str, tuple[Visitor, Turn]] = {}
    ask(line, turns, A, "a1", "a2", "a3")
    ask(line, turns, B, "b1", "b2")
    ask(line, turns, C, "c1")
    order = []
    while turns:
        [done] = who_works(turns)
        order.append(done)
        end(line, turns, done)
    assert order == ["a1", "a2", "b1", "c1", "a3", "b2"]


async def test_an_address_takes_only_its_share_of_the_queue(line: RequestQueue) -> None:
    turns: dict[str, tuple[Visitor, Turn]] = {}
    for name in ("w", "x", "y", "z"):
        ask(line, turns, Visitor(name, HOUSE), name)
    ask(line, turns, C, "c1")
    assert who_works(turns) == {"w", "x", "c1"}
    end(line, turns, "c1")
    assert who_works(turns) == {"w", "x"}, "a free place does not go to the address that has its share"
    end(line, turns, "w")
    assert who_works(turns) == {"x", "y"}


async def test_the_queue_limits_waiting_requests_by_person_and_address(line: RequestQueue) -> None:
    turns: dict[str, tuple[Visitor, Turn]] = {}
    ask(line, turns, A, "a1", "a2", "a3", "a4")
    with pytest.raises(TooManyRequests):
        line.join(A)
    for number in range(3):
        ask(line, turns, Visitor(number, HOUSE), f"{number}")
    with pytest.raises(TooManyRequests):
        line.join(Visitor("one more", HOUSE))
    ask(line, turns, C, "c1", "c2")
    end(line, turns, "a4", "c2")
    ask(line, turns, A, "a5")


@pytest.mark.parametrize("room", [PAGES, HEAVY], ids=["pages", "heavy"])
async def test_300_phones_of_one_address_wait_in_the_queue_at_once(room: Capacity) -> None:
    line, turns = RequestQueue(room), dict[str, tuple[Visitor, Turn]]()
    for number in range(300):
        ask(line, turns, Visitor(number, HOUSE), f"{number}")
    assert len(who_works(turns)) == room.of_an_address
    for number in range(300):
        assert f"{number}" in who_works(turns)
        end(line, turns, f"{number}")


async def test_each_person_ahead_in_the_queue_counts_once(line: RequestQueue) -> None:
    turns: dict[str, tuple[Visitor, Turn]] = {}
    ask(line, turns, A, "a1", "a2", "a3")
    ask(line, turns, B, "b1", "b2")
    d, e = Visitor("d", HOUSE), Visitor("e", HOUSE)
    ask(line, turns, d, "d1")
    ask(line, turns, e, "e1")
    assert [line.count_ahead(who) for who in (d, e)] == [2, 3]
    end(line, turns, "b1", "b2")
    assert [line.count_ahead(who) for who in (d, e)] == [2, 2], "d works"


async def test_the_queue_keeps_a_place_for_a_while_and_then_drops_it(line: RequestQueue) -> None:
    turns: dict[str, tuple[Visitor, Turn]] = {}
    d, e = Visitor("d", HOUSE), Visitor("e", HOUSE)
    ask(line, turns, A, "a1")
    ask(line, turns, B, "b1")
    ask(line, turns, d, "d1")
    ask(line, turns, e, "e1")
    line.keep(d, 60)
    end(line, turns, "d1")
    assert [line.count_ahead(who) for who in (d, e)] == [2, 3]
    ask(line, turns, d, "d2")
    end(line, turns, "a1")
    assert who_works(turns) == {"b1", "d2"}
    line.keep(e, 0)
    end(line, turns, "e1")
    f = Visitor("f", HOUSE)
    ask(line, turns, f, "f1")
    assert line.count_ahead(f) == 3
    while line.count_ahead(f) == 3:
        await asyncio.sleep(0)
    assert line.count_ahead(f) == 2, "e has stayed away"


async def test_an_empty_queue_remembers_no_visitor(line: RequestQueue) -> None:
    turns: dict[str, tuple[Visitor, Turn]] = {}
    for who in (A, B, C):
        ask(line, turns, who, f"{who.person}1", f"{who.person}2")
    end(line, turns, *list(turns)[::-1])
    assert not any((line._working, line._working_from, line._waiting_from, line._waiting, line._kept))
