"""Secret checks 秘密判定, and the GM's look at a hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from sessions.engine.step import encode
from sessions.engine.undo import is_safe
from sessions.game import Event, Fate, Seat
from sessions.modules.uroboros import module
from sessions.modules.uroboros.cards import MOST_SECRETS
from sessions.modules.uroboros.moves import Peek, Play, Reveal
from tests.rules import rule

from .table import CALL, Table, data, kinds

HANDS = {"p1": "h02 c05 d09", "p2": "s03 s04 d08 h05"}


def secret(secrecy: str = "gm", difficulty: int = 2, **fields: Any) -> Table:
    """A table with the field card h07, where p1 is called for a secret check."""
    table = Table(HANDS, deck="s09 d03 c11 h10")
    table.call("p1", difficulty, secret=secrecy, label="聞き耳", **fields)
    return table


def seen(table: Table, looker: Seat | None, events: Sequence[Event]) -> bytes:
    """A seat's view, events, question and legal moves after a move."""
    heard = [event for event in events if event.to is None or looker in event.to]
    more = [module.asked(table.state, looker), module.legal_moves(table.state, looker)] if looker else []
    return encode([module.view(table.state, looker), heard, more])


def worlds(looker: Seat | None, secrecy: str, ways: Sequence[tuple[int, str]]) -> list[set[bytes]]:
    """A seat's views after each step of a secret check, for several courses of it."""
    steps: list[set[bytes]] = [set() for _ in range(4)]
    for difficulty, card in ways:
        table = Table(HANDS, deck="s09 d03 c11 h10")
        called = table.call("p1", difficulty, secret=secrecy, label="聞き耳")
        steps[0].add(seen(table, looker, called))
        steps[1].add(seen(table, looker, table.do("p1", "play", card=card)))
        steps[2].add(seen(table, looker, table.call("p2", 2)))
        steps[3].add(seen(table, looker, table.do("p2", "play", card="h05")))
    return steps


LAID = [
    (0, "c05"),
    (2, "h02"),
    (2, "c05"),
    (5, "h02"),
]


@rule("UC-4.11")
@pytest.mark.parametrize("secrecy", ["gm", "own"])
@pytest.mark.parametrize("looker", ["p2", None])
def test_a_secret_checks_result_does_not_show_to_uninformed_seats(looker: Seat | None, secrecy: str) -> None:
    assert [len(seen) for seen in worlds(looker, secrecy, LAID)] == [1, 1, 1, 1]


@rule("UC-4.11")
def test_the_gm_alone_knows_a_secret_check_unless_the_player_may() -> None:
    same_card = [(difficulty, "h02") for difficulty in range(6)]
    assert [len(seen) for seen in worlds("p1", "gm", same_card)] == [1, 1, 1, 1]
    assert [len(seen) for seen in worlds("p1", "own", same_card)] == [6, 6, 6, 6]
    assert [len(seen) for seen in worlds("gm", "gm", same_card)] == [6, 6, 6, 6]


@rule("UC-4.11")
def test_a_card_drawn_for_a_secret_check_is_seen_only_by_informed_seats() -> None:
    for deck in ("s09 d03", "x01 d03", "h09 d03"):
        table = Table(HANDS, deck=deck)
        table.call("p1", 2, secret="gm")
        events = table.do("p1", "draw")
        (mine,) = table.view("p1")["secrets"]
        assert (mine["card"], mine["drew"], mine["result"]) == (None, True, None)
        assert "named" not in kinds(events)
        assert table.view("gm")["secrets"][0]["card"] == deck[:3]
        assert table.view()["phase"] == "idle", "nothing is asked of anybody, whatever was drawn"


@rule("UC-4.11")
def test_a_secret_check_turns_no_card_and_leaves_the_field_alone() -> None:
    table = Table(HANDS, deck="s09 d03 c11")
    before = table.view()
    table.call("p1", 5, secret="gm")
    assert table.view()["deck_count"] == before["deck_count"]
    table.do("p1", "play", card="h02")
    after = table.view()
    for name in ("field", "chain", "results", "result_deed"):
        assert after[name] == before[name]
    assert table.state.pile == ["h02", "h07"]
    assert after["pile_count"] == 2
    assert after["characters"]["p1"]["hand_count"] == 3, "the hand is adjusted as ever"


@rule("UC-4.11")
@pytest.mark.parametrize("secrecy", ["gm", "own"])
def test_a_revealed_secret_check_is_as_public_as_an_open_one(secrecy: str) -> None:
    table = secret(secrecy)
    number = table.state.task.number  # type: ignore[union-attr]
    laid = table.do("p1", "play", card="h02")
    sealed = [event for event in laid if event.to and "gm" in event.to]
    assert kinds(sealed) == ["played", "decided"]
    assert {event.sealed for event in sealed} == {number}
    assert {event.to for event in sealed} == {("gm", "p1") if secrecy == "own" else ("gm",)}
    told = data(table.do("gm", "reveal", number=number), "revealed")
    assert (told["success"], told["card"], told["difficulty"], told["deed"]) == (True, "h02", 2, "聞き耳")
    view = table.view("p2")
    assert "secrets" not in view
    assert view["results"][-1]["card"] == "h02"
    assert view["moment"]["result"]["success"]
    assert [link["card"] for link in view["moment"]["links"]] == ["h07", "h02"]
    assert view["moment"]["links"][-1]["by"] == "suit"
    assert module.secrets.opened(table.state) == [number]
    assert table.refusal("gm", "reveal", number=number) == "unknown_secret"
    assert table.refusal("p1", "reveal", number=number) == "gm_only"


@rule("UC-4.11")
def test_a_secret_chain_and_too_many_secret_checks_are_refused() -> None:
    table = Table(HANDS)
    assert table.refusal("gm", "call", seat="p1", difficulty=2, secret="gm", chain=True) == "secret_chain"
    table.call("p1", 2, secret=None)
    assert "secrecy" not in table.view("p1")["task"], "null is an open check"
    table.do("gm", "cancel")
    for _ in range(MOST_SECRETS):
        table.call("p1", 2, secret="gm")
        table.do("p1", "give_up")
    assert table.refusal("gm", "call", **CALL, seat="p1", difficulty=2, secret="gm") == "too_many_secrets"
    table.call("p1", 2)


@rule("UC-4.11")
def test_giving_up_a_secret_check_lays_no_card_and_is_public() -> None:
    table = secret()
    assert "gave_up" in kinds(table.do("p1", "give_up"))
    (check,) = table.view("p2")["secrets"]
    assert (check["laid"], check["result"]) == (False, None)
    assert table.view("gm")["secrets"][0]["result"]["success"] is False


@rule("UC-4.11")
def test_an_interrupted_secret_check_stays_secret() -> None:
    table = secret("own")
    table.interrupt("p2", 1)
    under = table.view("p2")["task"]["under"]
    assert (under["difficulty"], under["level"]) == (None, None)
    assert table.view("gm")["task"]["under"]["difficulty"] == 2
    table.do("p2", "play", card="d08")
    table.do("p1", "play", card="d09")
    assert table.view("p1")["secrets"][0]["result"]["success"], "against the field card of that moment"
    assert table.view()["secrets"][0]["result"] is None


@rule("UC-4.11")
def test_a_secret_card_shuffled_into_the_deck_stays_known_to_the_same_seats() -> None:
    table = secret()
    table.do("p1", "play", card="h02")
    table.change(deck=[])
    table.next_shuffle("")
    table.do("gm", "flip")
    assert "h02" not in table.state.pile[:-1]
    twin = table.state
    module.resample(twin, ["p2"], Fate("twin", 1))
    assert encode(module.view(twin, "p2")) == encode(module.view(table.state, "p2"))


@rule("UC-4.11")
def test_a_card_played_for_a_secret_check_cannot_be_undone() -> None:
    """An owing hand is not refilled, so that the same open play could be taken back."""
    for secrecy, offered in ((None, True), ("gm", False), ("own", False)):
        table = Table(HANDS)
        table.change(combat=None)
        state = table.state
        state.hands["p1"].owes = True
        table.snapshot = encode(state)
        table.do("gm", "start_combat")
        table.call("p1", 2, **({"secret": secrecy} if secrecy else {}))
        before = table.snapshot
        assert is_safe(module, before, "p1", Play("h02"), Fate("undo", 9), "seed") is offered


@rule("UC-4.12")
def test_a_peek_is_told_to_all_and_its_player_reads_it_until_they_move() -> None:
    table = Table(HANDS)
    events = table.do("gm", "peek", seat="p1")
    assert [(event.kind, event.to) for event in events] == [("peeked", None), ("hand_seen", ("p1",))]
    assert table.view("p1")["me"]["peeked"]
    assert "peeked" not in table.view("p2")["me"]
    assert "s03" not in str(table.view("gm")), "the GM's view holds no hand"
    table.do("p2", "declare", text="…")
    assert table.view("p1")["me"]["peeked"]
    table.do("p1", "declare", text="…")
    assert "peeked" not in table.view("p1")["me"]


@rule("UC-4.12")
def test_the_gm_alone_peeks_and_takes_no_peek_back() -> None:
    table = Table(HANDS)
    assert table.refusal("p2", "peek", seat="p1") == "gm_only"
    assert table.refusal("gm", "peek", seat="p8") == "unknown_seat"
    before = table.snapshot
    table.do("gm", "peek", seat="p1")
    assert not is_safe(module, before, "gm", Peek("p1"), Fate("undo", 1), "seed")


@rule("UC-4.11")
@pytest.mark.parametrize("secrecy", ["gm", "own"])
@pytest.mark.parametrize(("kind", "fields"), [("play", {"card": "h02"}), ("draw", {}), ("give_up", {})])
def test_revealing_a_secret_check_cannot_be_undone(secrecy: str, kind: str, fields: dict[str, str]) -> None:
    table = secret(secrecy)
    number = table.state.task.number  # type: ignore[union-attr]
    table.do("p1", kind, **fields)
    assert not is_safe(module, table.snapshot, "gm", Reveal(number), Fate("undo", 1), "seed")
