"""Counting wins among people, over made-up games."""

from __future__ import annotations

from sessions.report.head_to_head import (
    GameResult,
    WinCount,
    count_wins_by_pair,
    opponents_never_beaten,
    standings,
)

A, B, C = 1, 2, 3


def game(*winners: int, of: tuple[int, ...] = (A, B, C), key: str = "cards") -> GameResult:
    return GameResult(key, frozenset(of), frozenset(winners))


def test_a_standing_counts_games_and_wins_in_total_and_by_game() -> None:
    games = [game(A), game(B, key="dice"), game(A, of=(A, B)), game(C)]
    first, *rest = standings(games, [C, B, A])
    assert (first.who, first.total, first.total.share) == (A, WinCount(4, 2), 50)
    assert first.by_game == {"cards": WinCount(3, 2), "dice": WinCount(1, 0)}
    assert [(one.who, one.total) for one in rest] == [(C, WinCount(3, 1)), (B, WinCount(4, 1))]


def test_games_without_a_person_give_no_standing_and_break_no_streak() -> None:
    games = [game(A), game(B, of=(B, C)), game(A)]
    assert [one.who for one in standings(games, [A, 9])] == [A]
    assert standings(games, [A])[0].streak == 2


def test_a_standing_has_the_current_and_the_longest_winning_streak() -> None:
    games = [game(A), game(A), game(A), game(B), game(A)]
    [mine] = standings(games, [A])
    assert (mine.streak, mine.longest) == (1, 3)
    [mine] = standings([*games, game(B)], [A])
    assert (mine.streak, mine.longest) == (0, 3)


def test_players_who_win_together_beat_the_others_and_not_each_other() -> None:
    games = [game(A, B), game(A), game(of=(A, B))]
    assert dict(count_wins_by_pair(games)) == {(A, C): 2, (B, C): 1, (A, B): 1}


def test_opponents_never_beaten_are_listed_for_each_person() -> None:
    games = [game(A), game(B, of=(B, C))]
    assert opponents_never_beaten(games, [A, B, C, 9]) == [(B, [A]), (C, [A, B])]
