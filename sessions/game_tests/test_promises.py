"""The promises of every game's rules, written once.

Every rule id that heads a rule in a game's RULES.md is claimed by a test: ``@rule("UC-4.2")``.
"""

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.fate import Fate
from companion.games import folder_of
from sessions.engine.bots import RandomStep, random_game
from sessions.engine.step import MAX_MOVE_BYTES, decode_move, encode, start, step
from sessions.game import AnyModule, IllegalMove, nothing_hidden
from sessions.game_tests.fixtures import assert_alike, seeds, twin, verdict

ANY_FATE = Fate("any", 99)
HEADING = re.compile(r"^- \**([A-Z]{2}-\d+\.\d+)\b", re.MULTILINE)
CLAIM = re.compile(r"@rule\(([^)]*)\)")
ID = re.compile(r"[A-Z]{2}-\d+\.\d+")


def players(module: AnyModule, seed: int) -> int:
    return module.seats[seed % len(module.seats)]


def game(module: AnyModule, seed: int) -> list[RandomStep]:
    return list(random_game(module, players(module, seed), f"seed {seed}"))


def some(module: AnyModule, played: list[RandomStep], most: int = 60) -> Iterator[tuple[bytes, Any]]:
    """Yield moments spread over the game, as snapshot and state."""
    for moment in played[:: max(1, len(played) // most)]:
        yield moment.snapshot, module.load(moment.snapshot)


@pytest.mark.parametrize("seed", seeds(3, of=12))
def test_a_random_game_ends_and_always_waits_for_a_seat_until_then(module: AnyModule, seed: int) -> None:
    played = game(module, seed)
    for moment in played:
        state = module.load(moment.snapshot)
        over = module.outcome(state) is not None
        assert bool(module.waiting_for(state)) is not over
        assert module.waiting_for(state) <= set(state.seats)
        for seat in state.seats:
            if over:
                assert module.legal_moves(state, seat) == []
        for seat in module.waiting_for(state):
            assert module.legal_moves(state, seat)
    assert over, "the game does not end"


@pytest.mark.parametrize("seed", seeds(2, of=6))
def test_replay_from_the_log_gives_the_same_bytes(module: AnyModule, seed: int) -> None:
    first, *rest = game(module, seed)
    snapshot = start(module, module.seat_list(players(module, seed)), {}, Fate(f"seed {seed}", 0))
    assert snapshot == first.snapshot
    for number, moment in enumerate(rest, 1):
        move = decode_move(module, moment.move)
        snapshot, _ = step(module, snapshot, moment.seat, move, Fate(f"seed {seed}", number))
        assert snapshot == moment.snapshot


@pytest.mark.parametrize("seed", seeds(2, of=6))
def test_a_snapshot_survives_the_round_trip(module: AnyModule, seed: int) -> None:
    for moment in game(module, seed):
        assert encode(module.load(moment.snapshot)) == moment.snapshot


@pytest.mark.parametrize("seed", seeds(1, of=3))
def test_views_legal_moves_and_questions_do_not_change_the_state(module: AnyModule, seed: int) -> None:
    for snapshot, state in some(module, game(module, seed)):
        for seat in [*state.seats, None]:
            module.view(state, seat)
            if seat:
                module.legal_moves(state, seat)
                module.asked(state, seat)
        assert encode(state) == snapshot


@pytest.mark.parametrize("seed", seeds(1, of=4))
def test_every_legal_move_is_accepted(module: AnyModule, seed: int) -> None:
    for snapshot, state in some(module, game(module, seed), 25):
        for seat in state.seats:
            for move in module.legal_moves(state, seat):
                assert decode_move(module, encode(move)) == move
                assert verdict(module, snapshot, seat, encode(move)) == "", move


@pytest.mark.parametrize("seed", seeds(3, of=12))
def test_nothing_leaks(module: AnyModule, seed: int) -> None:
    """The view and the question of a seat stay, byte for byte, when hidden things differ."""
    rng, hidden_moved = Random(seed), 0
    for snapshot, state in some(module, game(module, seed)):
        for seats in [*({seat} for seat in state.seats), set()]:
            other = twin(module, snapshot, seats, Fate("twin", rng.getrandbits(64)))
            hidden_moved += other != snapshot
            assert_alike(module, snapshot, other, seats)
    changed = hidden_moved or module.resample is nothing_hidden
    assert changed, "resample changed nothing: this test could not have failed"


@pytest.mark.parametrize("seed", seeds(1, of=4))
def test_refusals_do_not_leak(module: AnyModule, seed: int) -> None:
    """A phone that tries every move it has ever seen learns nothing from what is refused."""
    played, rng = game(module, seed), Random(seed)
    tries = sorted({moment.move for moment in played if moment.move})
    rng.shuffle(tries)
    for snapshot, state in some(module, played, 20):
        for seat in state.seats:
            other = twin(module, snapshot, {seat}, Fate("twin", rng.getrandbits(64)))
            for raw in tries[:60]:
                assert verdict(module, snapshot, seat, raw) == verdict(module, other, seat, raw), raw


GARBAGE = [
    b"",
    b"null",
    b"[]",
    b"7",
    b"{}",
    b'{"type": null}',
    b'{"type": "bogus"}',
    b'{"type": ["bogus"]}',
    b"{" * 5000,
    b"[" * (MAX_MOVE_BYTES - 1),
    b'{"type": ' * 3000,
    b'"' + b"x" * 5_000_000 + b'"',
    b"\xff\xfe",
    b'{"type": "\\ud800"}',
    b'{"type": 1e999}',
    b"NaN",
]


@pytest.mark.parametrize("raw", GARBAGE, ids=lambda raw: raw[:16])
def test_garbage_bytes_are_refused_as_a_malformed_move(module: AnyModule, raw: bytes) -> None:
    with pytest.raises(IllegalMove, match="malformed_move"):
        decode_move(module, raw)


ODD_VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.sampled_from([10**30, -(10**30), 2**63, -1, 0, 1, 99]),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=12),
    st.sampled_from(
        ["", " ", "x" * 5000, "\x00", "gm", "p1", "p8", "p9", "n1", "s01", "x02", "x03", "\u202e"]
    ),
    st.lists(st.sampled_from(["s01", "h02", "p1", 0, None, []]), max_size=4),
    st.dictionaries(st.text(max_size=4), st.integers() | st.lists(st.none(), max_size=2), max_size=3),
)


@settings(deadline=None, max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_bent_moves_are_refused_or_legal_but_never_a_crash(module: AnyModule, data: st.DataObject) -> None:
    """Any seat sends a legal move with a field changed, missing or added."""
    snapshot, state = data.draw(st.sampled_from(moments(module)))
    seat = data.draw(st.sampled_from(state.seats))
    owner = data.draw(st.sampled_from([other for other in state.seats if module.legal_moves(state, other)]))
    bent = msgspec.to_builtins(data.draw(st.sampled_from(module.legal_moves(state, owner))))
    field = data.draw(st.sampled_from([*bent, "surprise"]))
    if data.draw(st.booleans()):
        bent.pop(field, None)
    else:
        bent[field] = data.draw(ODD_VALUES)
    verdict(module, snapshot, seat, msgspec.json.encode(bent))
    assert encode(state) == snapshot


_moments: dict[str, list[tuple[bytes, Any]]] = {}


def moments(module: AnyModule) -> list[tuple[bytes, Any]]:
    """States from the middle of a few random games, played once."""
    if module.key not in _moments:
        played = [moment for seed in range(4) for moment in some(module, game(module, seed)[:-1], 15)]
        _moments[module.key] = played
    return _moments[module.key]


def test_moves_of_unknown_seats_or_after_the_end_are_refused(module: AnyModule) -> None:
    played = game(module, 1)
    raw = played[1].move
    for stranger in ("p99", "", "GM", None):
        assert verdict(module, played[0].snapshot, stranger, raw).startswith("not_seated")
    seat = played[1].seat
    assert seat
    assert verdict(module, played[-1].snapshot, seat, raw).startswith("game_over")


def test_options_of_the_wrong_kind_open_no_table(module: AnyModule) -> None:
    seats = module.seat_list(module.seats.start)
    for options in ({"bogus": 1}, []):
        with pytest.raises(ValueError, match=r".+"):
            start(module, seats, options, ANY_FATE)
    for wrong in ([], [*seats[::-1], "p1"], [*seats, "px"], ["p1"] * 40):
        with pytest.raises(ValueError, match=r".+"):
            start(module, wrong, {}, ANY_FATE)


def test_house_rules_are_options_of_the_module(module: AnyModule) -> None:
    assert set(module.tables.house_rules) <= {field.name for field in msgspec.structs.fields(module.options)}


@pytest.mark.parametrize("seed", seeds(1, of=3))
def test_every_character_that_a_view_lists_has_a_name(module: AnyModule, seed: int) -> None:
    for _, state in some(module, game(module, seed), 20):
        for seat in (*state.seats, None):
            assert all(module.telling.names(module.view(state, seat)).values())


def test_every_rule_is_claimed(module: AnyModule) -> None:
    folder = folder_of(module.key)
    assert folder
    page = (folder / "RULES.md").read_text("utf-8")
    headed = HEADING.findall(page)
    assert headed, "no rule ids found: this test could not have failed"
    assert len(headed) == len(set(headed))
    tests = "\n".join(path.read_text("utf-8") for path in (folder / "tests").glob("test_*.py"))
    claimed = {rule_id for claim in CLAIM.findall(tests) for rule_id in ID.findall(claim)}
    unclaimed = [rule_id for rule_id in headed if rule_id not in claimed]
    assert unclaimed == []
    assert claimed <= set(headed), "tests claim rules the page does not have"
