"""The game of the day: its score, and signs that tell of no card."""

from __future__ import annotations

from sessions.game import Event
from sessions.modules.liarmafia.telling import daily_score, signs
from sessions.modules.liarmafia.tests.table import Game


def played(game: Game, *moves: str) -> list[Event]:
    return [event for move in moves for event in game.play(move)]


def test_a_win_is_worth_the_cards_that_are_left() -> None:
    game = Game("pv b^", "b^ pv")
    assert daily_score(game.state, "p1") is None
    events = played(game, "p1 declare action=smuggle", "p2 doubt", "p2 remove slot=0")
    assert (daily_score(game.state, "p1"), daily_score(game.state, "p2")) == (8, 0)
    assert (signs(events, "p1"), signs(events, "p2")) == ("🟦", "🟥")


def test_a_defeat_scores_the_opponents_losses_and_conceding_nothing() -> None:
    game = Game("h^ b^", "b^ p^", chips={"p1": [1]})
    played(game, "p1 declare action=murder", "p2 block", "p1 doubt", "p2 remove slot=1")
    played(game, "p2 replace facing=up")
    game.play("p1 concede")
    assert (daily_score(game.state, "p1"), daily_score(game.state, "p2")) == (0, 7)


def test_the_signs_of_a_doubt_do_not_depend_on_cards_or_truth() -> None:
    """They must not tell players of the same day which claims of the bot are true."""
    smuggle = "p1 declare action=smuggle"
    lie = played(Game("pv b^", "b^ pv"), smuggle, "p2 block", "p1 doubt", "p2 remove slot=0")
    truth = played(Game("pv b^", "b^ pv"), smuggle, "p2 doubt", "p2 remove slot=0")
    other = played(Game("b^ pv", "pv b^"), smuggle, "p2 doubt", "p2 remove slot=1")
    assert signs(lie, "p1") == signs(truth, "p1") == signs(other, "p1") == "🟦"


def test_the_signs_of_a_result_show_gains_and_accepted_blocks() -> None:
    game = Game("pv b^", "b^ pv")
    events = played(game, "p1 declare action=smuggle", "p2 pass", "p1 rotate slot=0")
    events += played(game, "p2 declare action=embezzle", "p1 block", "p2 pass")
    assert (signs(events, "p1"), signs(events, "p2")) == ("🟩", "⬜")
