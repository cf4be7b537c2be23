"""What a book remembers of a game: winners whose own leader was wounded."""

from __future__ import annotations

from sessions.game import Event, Mark
from sessions.modules.goodcop import module
from sessions.modules.goodcop.telling import marks
from sessions.modules.goodcop.tests.table import Game


def remembered(cards: str, *fallen: str) -> list[Mark]:
    """Let p3 shoot the wounded leader of p2."""
    game = Game(cards)
    for seat in fallen:
        game.set(seat, alive=False)
    game.arm("p3", "p2")
    game.change(turn="p3")
    assert marks(module.view(game.state, None), []) == [], "before the end there is nothing"
    game.do("p3", "shoot")
    game.all_pass()
    assert game.outcome()["reason"] == "honest"
    return marks(module.view(game.state, None), [])


def test_a_win_with_a_wounded_leader_is_remembered_as_close() -> None:
    assert remembered("A H H | K! C+ C+ | H H C | C C H") == []
    assert remembered("A! H H | K! C+ C+ | H H C | C C H") == [
        Mark(Event("closest", {"seat": "p1", "fallen": 0}), rank=0)
    ]
    [mark] = remembered("A! H H | K! C+ C+ | H H C | H C H", "p4")
    assert mark.rank == 1
