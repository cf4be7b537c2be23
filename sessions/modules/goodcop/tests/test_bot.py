"""The bot plays by the rules, from its view alone, and with sense."""

from __future__ import annotations

from itertools import count
from typing import NamedTuple

import msgspec
import pytest

from sessions.engine import bots
from sessions.engine.step import encode, start, step
from sessions.game import Fate
from sessions.modules.goodcop import module
from sessions.modules.goodcop.bot import bot, strong_bot
from sessions.modules.goodcop.state import team
from sessions.modules.goodcop.tests.measure import beats, wins
from sessions.modules.goodcop.tests.table import UNDEAD, Game
from sessions.modules.goodcop.view import resample


def choice(game: Game, seat: str) -> dict[str, object]:
    """The bot's move, as JSON."""
    state = game.state
    move = strong_bot(module.view(state, seat), module.legal_moves(state, seat), Fate("bot", 0))  # type: ignore[arg-type]
    return dict(msgspec.to_builtins(move))


@pytest.mark.parametrize("players", [4, 6, 8])
@pytest.mark.parametrize("zombies", [False, True])
def test_bots_play_whole_games_and_never_peep(players: int, zombies: bool) -> None:
    """In a twin that its seat cannot tell from the truth the bot does the same."""
    secret = f"bots {players}"
    snapshot = start(module, module.seat_list(players), {"zombies": zombies}, Fate(secret, 0))
    for number in range(1, 1500):
        state = module.load(snapshot)
        if module.outcome(state):
            return
        seat = sorted(module.waiting_for(state))[number % len(module.waiting_for(state))]
        legal = module.legal_moves(state, seat)
        move = strong_bot(module.view(state, seat), legal, Fate(secret, number))  # type: ignore[arg-type]
        assert move in legal
        if number % 5 == 0:
            twin = module.load(snapshot)
            resample(twin, {seat}, Fate("twin", number))
            again = strong_bot(module.view(twin, seat), module.legal_moves(twin, seat), Fate(secret, number))  # type: ignore[arg-type]
            assert encode(again) == encode(move)
        snapshot, _ = step(module, snapshot, seat, move, Fate(secret, number))
    raise AssertionError("bots play for ever")


def test_a_bot_shoots_a_leader_it_knows_and_no_unknown_player() -> None:
    game = Game("A H H | K C C | H H C | C C H")
    game.arm("p1", "p2")
    assert choice(game, "p1")["type"] == "investigate"
    game = Game("A H H | K+ C C | H H C | C C H")
    assert choice(game, "p1") == {"type": "arm", "reveal": choice(game, "p1")["reveal"], "aim": "p2"}
    assert choice(game, "p1")["reveal"] != 0
    game.arm("p1", "p2")
    assert choice(game, "p1") == {"type": "shoot"}
    game.arm("p1", "p4")
    assert choice(game, "p1")["type"] != "shoot"


def test_a_bot_aims_at_the_leader_it_knows() -> None:
    game = Game("A H H | K+ C C | H H C | C C H")
    game.arm("p1", "p3")
    game.do("p1", "investigate", seat="p4", position=0)
    assert choice(game, "p1") == {"type": "aim", "seat": "p2"}


def test_a_bot_never_shoots_its_own_leader() -> None:
    game = Game("H H H | A+ C C | K C C | C C H")
    game.arm("p1", "p2")
    assert choice(game, "p1")["type"] != "shoot"


def test_a_bot_shields_its_own_leader_and_no_other_player() -> None:
    for seat, answer in (("p3", "play"), ("p4", "pass")):
        game = Game("K+ C C | A+ H H | H H C | C C H", {seat: "restraining_order"})
        game.arm("p1", "p2")
        game.do("p1", "shoot")
        assert choice(game, seat)["type"] == answer


def test_a_zombie_bites_and_takes_the_serum_back() -> None:
    game = Game("A+ H* H | K C C | Z+ H+ C+ | C C H", {"p1": "zombie_serum"}, zombies=True)
    game.undead("p3")
    game.change(turn="p3")
    assert choice(game, "p3") == {"type": "weapon", "aim": "p1"}
    game.arm("p3", "p1")
    assert choice(game, "p3")["type"] == "bite"
    game.do("p3", "bite", position=0)
    game.do("p1", "pass", {"zombie": [1, 4]})
    assert choice(game, "p1") == {"type": "play", "card": "zombie_serum"}


def test_the_hidden_infector_comes_out_armed() -> None:
    game = Game(UNDEAD, zombies=True)
    game.change(turn="p3")
    assert choice(game, "p3")["type"] == "arm"
    assert choice(game, "p3")["reveal"] == 0


class Ending(NamedTuple):
    """The end of a game: its winners and why, the seat that moved last, and those that had a turn."""

    winners: tuple[str, ...]
    reason: str
    mover: str
    acted: set[str]


def play_out(level: str, secret: str, zombies: bool) -> Ending:
    """Let four bots of a level play a game."""
    snapshot = start(module, module.seat_list(4), {"zombies": zombies}, Fate(secret, 0))
    acted: set[str] = set()
    for number in count(1):
        state = module.load(snapshot)
        seat = min(module.waiting_for(state))
        acted |= {seat} if state.phase == "action" else set()
        move = bots.choose_move(module, level, state, seat, Fate(f"choices of {secret}", number))
        snapshot, _ = step(module, snapshot, seat, move, Fate(secret, number))
        if result := module.outcome(module.load(snapshot)):
            return Ending(result.winners, result.reason, seat, acted)
    raise AssertionError


def whims(game: Game, seat: str) -> list[dict[str, object]]:
    """The plain bot's moves here, by many a chance."""
    view, legal = module.view(game.state, seat), module.legal_moves(game.state, seat)
    moves = [bot(view, legal, Fate("whim", number)) for number in range(100)]  # type: ignore[arg-type]
    return [dict(msgspec.to_builtins(move)) for move in moves]


@pytest.mark.parametrize(
    ("level", "games", "zombies"),
    [
        (bots.STEADY, 40, True),
        *(
            pytest.param(level, 400, zombies, marks=pytest.mark.long)
            for level in (bots.STEADY, bots.STRONG)
            for zombies in (True, False)
        ),
    ],
)
def test_no_bot_hands_the_game_to_another_player(level: str, games: int, zombies: bool) -> None:
    """Nor is a game over before each seat has had a turn; a good shot may end one of a hundred so early."""
    early = 0
    for game in range(games):
        ending = play_out(level, f"both leaders {game}", zombies)
        assert ending.reason != "alone" or ending.mover in ending.winners, game
        early += len(ending.acted) < 4
    assert early <= games // 100


def test_a_random_choice_of_a_bot_wastes_no_card() -> None:
    game = Game("A+ H* H | K C C | Z+ H+ C+ | C C H", {"p1": "machete"}, zombies=True)
    game.undead("p3")
    assert not [move for move in whims(game, "p1") if move["type"] == "play"]
    game = Game("H H C | A C H | K C C | C H H", {"p1": "blackmail"})
    assert not [move for move in whims(game, "p1") if move["type"] == "play"]


def test_a_bot_leader_plays_no_harmful_card_for_want_of_other_moves() -> None:
    game = Game("A C+ C+ | K H+ H+ | H+ H+ C+ | C+ H+ H+", {"p1": "blackmail"})
    game.arm("p1", "p3")
    assert choice(game, "p1")["type"] != "play"


def test_a_bot_plays_a_card_that_wins_an_ally() -> None:
    game = Game("A H H | K+ H+ C | H+ H+ H+ | C+ C+ H+", {"p1": "blackmail"})
    move = choice(game, "p1")
    assert (move["type"], move["card"]) == ("play", "blackmail")
    game.do("p1", "play", a=move["a"], b=move["b"], card="blackmail")
    assert [team(game.state, seat) for seat in ("p3", "p4")] == ["honest", "honest"]
    game = Game("A H H | K+ H+ C | H H C | C+ C+ H", {"p1": "planted_evidence"})
    assert choice(game, "p1") == {"type": "play", "card": "planted_evidence", "seat": "p4"}
    game = Game("A H H | K+ C C | H+ H+ C | C C H", {"p1": "evidence_bag", "p2": "k9_unit"})
    assert choice(game, "p1") == {"type": "play", "card": "evidence_bag", "from": "p2", "to": "p3"}


def test_a_bot_puts_off_the_turn_of_a_foe_who_aims_at_it() -> None:
    game = Game("A+ H H | K+ C C | H+ H+ C | C C H", {"p1": "smoke_grenade"})
    game.arm("p2", "p1")
    game.do("p1", "investigate", seat="p4", position=0)
    game.do("p1", "pass")
    assert choice(game, "p1") == {"type": "play", "card": "smoke_grenade"}
    game.arm("p2", "p4")
    assert choice(game, "p1") == {"type": "pass"}


def test_a_random_choice_of_a_bot_never_harms_its_own_leader() -> None:
    game = Game("H H H | A+ C C | K C C | C C H")
    game.arm("p1", "p2")
    assert not [move for move in whims(game, "p1") if move["type"] == "shoot"]
    game = Game("H H C | C C H | C H C | K+ C C | A+ H H", {"p1": "riot_shield"})
    game.arm("p5", "p3")
    game.arm("p2", "p1")
    game.change(turn="p2")
    game.do("p2", "shoot")
    game.do("p1", "play", card="riot_shield")
    assert {move["seat"] for move in whims(game, "p1")} == {"p2"}


def test_a_bot_wins_more_than_random_play() -> None:
    clever, chance = (wins(12, 4, zombies=False, clever=clever) for clever in (True, False))
    assert clever > chance + 0.2


def test_the_strong_level_beats_the_plain_one() -> None:
    assert beats(bots.STRONG, bots.STEADY, 200) > 0.58
