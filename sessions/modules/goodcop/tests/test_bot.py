"""The bot plays by the rules, from its view alone, and with sense."""

from __future__ import annotations

import msgspec
import pytest

from sessions.engine import bots
from sessions.engine.step import encode, start, step
from sessions.game import Fate
from sessions.modules.goodcop import module
from sessions.modules.goodcop.bot import strong_bot
from sessions.modules.goodcop.resample import resample
from sessions.modules.goodcop.tests.measure import beats, wins
from sessions.modules.goodcop.tests.table import UNDEAD, Game


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


def test_it_shoots_the_leader_it_knows_and_nobody_it_does_not() -> None:
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


def test_it_aims_at_the_leader_it_knows() -> None:
    game = Game("A H H | K+ C C | H H C | C C H")
    game.arm("p1", "p3")
    game.do("p1", "investigate", seat="p4", position=0)
    assert choice(game, "p1") == {"type": "aim", "seat": "p2"}


def test_it_never_shoots_its_own_leader() -> None:
    game = Game("H H H | A+ C C | K C C | C C H")
    game.arm("p1", "p2")
    assert choice(game, "p1")["type"] != "shoot"


def test_it_shields_its_leader_and_not_the_others() -> None:
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


def test_it_wins_more_than_chance_would() -> None:
    clever, chance = (wins(12, 4, zombies=False, clever=clever) for clever in (True, False))
    assert clever > chance + 0.2


def test_the_strong_level_beats_the_plain_one() -> None:
    assert beats(bots.STRONG, bots.STEADY, 100) > 0.58
