"""The game of the day: its score, and signs that tell of no card."""

from __future__ import annotations

from sessions.game import Event
from sessions.modules.goodcop.telling import LEAST, MOST, daily_score, signs
from sessions.modules.goodcop.tests.table import Game


def shot(deal: str) -> tuple[Game, list[Event]]:
    """A look by p1, and a shot at p2 by p3, of which p2 has the second wound if it leads."""
    game = Game(deal)
    game.arm("p2", "p1")
    events = game.do("p1", "investigate", seat="p4", position=0)
    events += game.do("p2", "investigate", seat="p4", position=0)
    events += game.do("p2", "keep")
    game.arm("p3", "p2")
    events += game.do("p3", "shoot")
    return game, [*events, Event("begun", {"seat": "p4"})]


def test_a_win_counts_more_the_earlier_it_is_and_a_defeat_nothing() -> None:
    game, _ = shot("A H H | K! C+ C+ | H H C | C C H")
    early = MOST - game.state.turns
    assert [daily_score(game.state, seat) for seat in ("p1", "p2", "p3", "p4")] == [early, 0, early, 0]
    late = game.state
    late.turns = MOST
    assert daily_score(late, "p1") == LEAST


def test_the_signs_of_a_result_show_each_seats_deeds() -> None:
    game, events = shot("A H H | K! C+ C+ | H H C | C C H")
    assert game.outcome()["winners"] == ["p1", "p3"]
    assert [signs(events, seat) for seat in ("p1", "p2", "p3", "p4")] == ["🟦", "🟦", "🟥", ""]


def test_the_signs_of_a_result_do_not_depend_on_the_cards() -> None:
    """A shot at a leader and one at anybody else, a look at an honest card and at a crooked one."""
    _, leader = shot("A H H | K C+ C+ | H H C | C C H")
    _, nobody = shot("A H H | H C+ C | K H C | H C C")
    assert signs(leader, "p1") == signs(nobody, "p1") == "🟦"
    assert signs(leader, "p3") == signs(nobody, "p3") == "🟥"
    assert signs(leader, "p2") == signs(nobody, "p2")
