"""The designer's lab: the same page from the same seed, for every game there is and for one it never saw."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from sessions.engine import bots
from sessions.engine.registry import registry
from sessions.engine.rulebook import book, languages
from sessions.game import AnyModule
from sessions.lab import games, plots, statistics
from sessions.lab.games import RunConfig, play, run
from sessions.modules.journey.moves import Pack, Play, Split
from sessions.modules.twentyfour.moves import Challenge, Place


def lab(key: str, file: Path, *given: str, games: int = 4, language: str = "en", processes: int = 1) -> str:
    """The page that the command writes."""
    call_command(
        "lab",
        key,
        *given,
        f"--games={games}",
        f"--processes={processes}",
        f"--language={language}",
        f"--output={file}",
        stdout=io.StringIO(),
        stderr=io.StringIO(),
    )
    return file.read_text("utf-8")


def setting(module: AnyModule, games: int = 6, **fields: Any) -> RunConfig:
    given: dict[str, Any] = {"players": module.seats[0], "bots": (bots.RANDOM,), "seed": "tests", **fields}
    return RunConfig(key=module.key, games=games, **given)


@pytest.mark.parametrize("key", sorted(registry()))
@pytest.mark.parametrize("language", ["ja", "en"])
def test_every_game_has_a_lab_page(key: str, language: str, tmp_path: Path) -> None:
    page = lab(key, tmp_path / "page.html", "--bots=random", games=2, language=language)
    assert f'<html lang="{language}">' in page
    assert ("ゲームデザイナーの実験室" in page) is (language == "ja")
    assert page.count("<svg") > 2
    assert page.count("<table>") == page.count("<h2>") == page.count("<section")
    # What happens is told in the words of the log.
    told = re.findall(r'<th scope="row">(.*?)</th>', page.rsplit("<section", 1)[1], re.DOTALL)
    assert len(told) > 3
    assert language == "en" or not [words for words in told if re.fullmatch(r"\s*[a-z_]+\s*", words)]


def test_a_lab_page_is_self_contained_and_has_unique_ids(tmp_path: Path) -> None:
    page = lab("liarmafia", tmp_path / "page.html")
    assert not re.findall(r'(?:src|href)="(?!#)[^"]*"|@import|<script', page)
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'(?:href="|url\()#([^")]+)', page)) <= set(ids)


def test_a_seed_gives_the_same_lab_page_on_any_number_of_processors(tmp_path: Path) -> None:
    """And another seed another one, or this could not fail."""
    given = ("liarmafia", tmp_path / "page.html", "--bots=strong,plain")
    alone, many = lab(*given, games=6), lab(*given, games=6, processes=2)
    assert alone == many
    assert lab(*given, "--seed=other", games=6) != alone


def test_a_game_that_the_lab_does_not_know_has_a_lab_page(tally: AnyModule, tmp_path: Path) -> None:
    page = lab("tally", tmp_path / "page.html", "--bots=plain,random", "--compare=rounds=4", games=10)
    assert "Wins by bot" in page
    assert "Options B" in page
    assert "{&quot;rounds&quot;:4}" in page
    assert "B − A" in page


def test_the_lab_counts_moves_wins_and_events(tally: AnyModule) -> None:
    games = run(tally, setting(tally, games=40, bots=(bots.STEADY, bots.RANDOM)), 1)
    assert [game.number for game in games] == [*range(1, 41)]
    assert {game.moves for game in games} == {4}
    assert sum(game.bots["p1"] == bots.STEADY for game in games) == 20, "bots go round the seats"
    both = statistics.wins(games, lambda game, seat: True)
    assert both.of == 80
    assert both.hits == sum(len(game.winners) for game in games)
    assert statistics.lengths(games).at(99) == 4
    assert statistics.events(games)["laid"][1] == 4


def test_the_lab_finds_an_option_that_loses(tally: AnyModule) -> None:
    """Wins of seats that took it against those that could have: by hand, with made-up games."""
    games = run(tally, setting(tally, games=100), 1)
    for number, game in enumerate(games):
        took, other = ("p1", "p2") if number % 2 else ("p2", "p1")
        game.winners = (other,)
        game.offered = {"bad": statistics.Counter({took: 1, other: 2})}
        game.taken = {"bad": statistics.Counter({took: 1})}
    (bad,) = statistics.options(games)
    assert (bad.chosen, bad.with_it, bad.without) == ((100, 300), (0, 100), (100, 100))
    assert bad.is_never_worth_it


def test_options_of_the_lab_are_the_words_in_a_move() -> None:
    assert games.options_of(Challenge("both")) == ("challenge dice=both",)
    assert games.options_of(Pack(("map", "tent"))) == ("pack items=map", "pack items=tent")
    assert games.options_of(Play("red-1", black="a")) == ("play black=a",)
    assert games.options_of(Play("red-1", split=Split(6, 0))) == ("play",)
    assert games.options_of(Place(("0", "0", "1", "2", "3"))) == ("place",)


def test_the_lab_plays_random_openings_when_asked() -> None:
    module = registry()["twentyfour"]

    def detectives(*, openings: bool) -> set[str]:
        """Those that the first to choose took in some games."""
        chosen = setting(module, openings=openings, bots=(bots.STEADY,))
        traits = [play(module, chosen, number).traits["detective"] for number in range(1, 9)]
        return {name for game in traits for name, seats in game.items() if "p1" in seats}

    assert len(detectives(openings=True)) > 2
    assert len(detectives(openings=False)) == 1


@pytest.mark.parametrize("key", sorted(registry()))
def test_a_study_of_a_game_names_rules_of_its_rulebook(key: str) -> None:
    rules = [*registry()[key].study.rules]
    assert not rules or (languages(key) and set(rules) <= set(book(key, "ja").ids))


@pytest.mark.parametrize(
    ("key", "bot", "games", "options"),
    [
        ("goodcop", bots.RANDOM, 6, {"zombies": True}),
        ("journey", bots.RANDOM, 30, {}),
        ("liarmafia", bots.STEADY, 60, {}),
        ("twentyfour", bots.RANDOM, 6, {}),
    ],
)
def test_every_rule_of_a_study_decides_in_some_game(
    key: str, bot: str, games: int, options: dict[str, Any]
) -> None:
    """An event that was renamed would let its rule sleep for ever."""
    module = registry()[key]
    chosen = setting(module, players=module.seats[-1], bots=(bot,), options=options)
    decided = {rule for number in range(1, games + 1) for rule in play(module, chosen, number).rules}
    assert decided == set(module.study.rules)


@pytest.mark.parametrize(
    "wrong",
    [
        ["nothing"],
        ["journey", "--bots=clever"],
        ["uroboros", "--bots=strong"],
        ["journey", "--games=0"],
        ["journey", "--players=2"],
        ["journey", "--option=single_key"],
        ["journey", "--option=single_key=7"],
        ["journey", "--compare=no_such=1"],
        ["liarmafia", "--games=1", "--output=/nowhere/at/all.html"],
    ],
)
def test_an_invalid_lab_command_is_refused_and_writes_no_file(
    wrong: list[str], tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CommandError, match=r"\w"):
        call_command("lab", *wrong, "--processes=1", stdout=io.StringIO())
    assert not [*tmp_path.iterdir()]


def test_the_lab_without_its_library_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plots, "find_spec", lambda name: None)
    with pytest.raises(CommandError, match=r"pip install 'takujo\[lab\]'"):
        call_command("lab", "journey", "--language=en")


def test_a_chapter_of_the_lab_counts_the_points_of_its_last_move() -> None:
    """In 24 a season's cards count once its styles are set, by the move that begins the next season."""
    game = play(registry()["twentyfour"], setting(registry()["twentyfour"], players=4), 1)
    assert sorted(game.chapters) == [1, 2, 3]
    assert sum(game.chapters[1].values()) > 10
    assert game.chapters[3] == game.scores
