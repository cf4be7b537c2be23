"""Taking back one's own last move, and the GM's rewind."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any, NamedTuple

import pytest
from django.test import Client

from characters.models import Character
from companion.fate import Fate
from sessions.card_table import gm_moves, npcs
from sessions.engine import undo as undo_engine
from sessions.engine.bots import random_game
from sessions.engine.registry import registry
from sessions.engine.step import decode_move, encode, step
from sessions.engine.undo import History, Rewind, Undo, decode_table_move, is_safe, rewind, seems_safe, undo
from sessions.evening import nights, stand_ins
from sessions.game import AnyModule, Event, IllegalMove, Move, kind_of, nothing_hidden
from sessions.game import Seat as SeatKey
from sessions.game_tests.fixtures import seeds
from sessions.live.pages import TablePage
from sessions.models import LibraryNpc, Seat, Session, Table
from sessions.modules.goodcop import module as goodcop
from sessions.modules.goodcop.moves import Pass
from sessions.modules.goodcop.tests.table import Game
from sessions.modules.uroboros import module as uroboros
from sessions.modules.uroboros.tests.table import Table as CardTable
from sessions.table import log, moves, opening, replay, seat_view
from tests import tally
from tests.conftest import Somebody
from tests.evening import call, can_undo, log_of, play, sit
from tests.sessions.test_races import at_once
from tests.sessions.test_tables import contents


class Made(NamedTuple):
    """A move of a random game, and the snapshots round it."""

    before: bytes
    seat: SeatKey
    move: Any
    number: int
    after: bytes
    secret: str

    def safe(self, module: AnyModule, before: bytes | None = None) -> bool:
        return self.answer(is_safe, module, before)

    def answer(
        self,
        check: Callable[..., bool],
        module: AnyModule,
        before: bytes | None = None,
        *,
        veiled: bool = False,
    ) -> bool:
        fate, seed = Fate(self.secret, self.number), f"{self.secret}/undo"
        return check(module, before or self.before, self.seat, self.move, fate, seed, veiled=veiled)


@pytest.fixture(params=registry().values(), ids=registry().keys())
def module(request: pytest.FixtureRequest) -> AnyModule:
    return request.param


def moves_made(module: AnyModule, seed: int, most: int = 60) -> Iterator[Made]:
    secret = f"undo {seed}"
    first, *rest = random_game(module, module.seats[seed % len(module.seats)], secret)
    before = first.snapshot
    for number, played in enumerate(rest[:most], 1):
        assert played.seat
        yield Made(before, played.seat, decode_move(module, played.move), number, played.snapshot, secret)
        before = played.snapshot


def some(rng: Random, made: list[Made], most: int) -> list[Made]:
    """Return a number of random moves of a game."""
    return rng.sample(made, min(most, len(made)))


@pytest.mark.parametrize("seed", seeds(8, of=30))
def test_a_pass_that_lets_a_player_look_at_a_card_cannot_be_undone(seed: int) -> None:
    """A player cannot forget what was told in private, even if the twins are alike."""
    game = Game("A+ H+ H+ | K C C | H+ H+ C+ | C C H+", hands={"p3": "coffee"})
    game.do("p1", "investigate", seat="p2", position=1)
    assert not is_safe(goodcop, game.snapshot, "p3", Pass(), Fate("tests", game.number), f"{seed}")


# --- what stands


def test_without_undo_every_move_stands() -> None:
    assert list(History(3, {}).standing()) == [3, 2, 1]
    assert History(3, {}).before == 2
    assert History(0, {}).newest_number == 0


def test_a_second_undo_takes_back_the_move_before_the_undone_one() -> None:
    once = History(4, {4: 2})
    assert list(once.standing()) == [2, 1]
    assert (once.newest_number, once.before) == (2, 1)
    twice = History(5, {4: 2, 5: once.before})
    assert list(twice.standing()) == [1]


def test_moves_after_a_rewind_stand_on_the_moves_that_it_kept() -> None:
    history = History(8, {6: 1, 8: 1})
    assert list(history.standing()) == [1]
    assert list(History(9, history.restored).standing()) == [9, 1]
    assert list(History(7, {6: 1}).standing()) == [7, 1]


# --- the two moves


def test_undo_and_rewind_are_moves_of_every_module(module: AnyModule) -> None:
    """A module's own move of such a name would make this union impossible."""
    assert decode_table_move(module, b'{"type": "undo"}') == Undo()
    assert decode_table_move(module, b'{"type": "rewind", "to": 3}') == Rewind(3, "")
    for own in (Undo, Rewind):
        with pytest.raises(IllegalMove, match="malformed_move"):
            decode_move(module, encode(own(*([0] if own is Rewind else []))))


@pytest.mark.parametrize(
    "fields",
    [
        {"type": "undo", "to": 3},
        {"type": "rewind"},
        {"type": "rewind", "to": -1},
        {"type": "rewind", "to": 10**30},
        {"type": "rewind", "to": "3"},
        {"type": "rewind", "to": None},
        {"type": "rewind", "to": 1, "reason": "x" * 81},
        {"type": "rewind", "to": 1, "reason": "\0"},
        {"type": "rewind", "to": 1, "reason": ["x"]},
    ],
)
def test_an_undo_or_rewind_of_another_shape_is_malformed(fields: dict[str, Any]) -> None:
    with pytest.raises(IllegalMove, match="malformed_move"):
        decode_table_move(uroboros, json.dumps(fields).encode())


def test_only_the_gm_rewinds_and_only_to_a_standing_move() -> None:
    history = History(5, {4: 2})
    assert rewind(history, "gm", Rewind(2, " oops ")).numbers == [5]
    assert rewind(history, "gm", Rewind(0)).numbers == [5, 2, 1]
    assert rewind(history, "gm", Rewind(2, " oops ")).event.data == {"to": 2, "count": 1, "reason": "oops"}
    with pytest.raises(IllegalMove, match="gm_only"):
        rewind(history, "p1", Rewind(2))
    for to in (3, 4, 5, 6, 99):
        with pytest.raises(IllegalMove, match="cannot_rewind"):
            rewind(history, "gm", Rewind(to))


def test_a_refused_undo_has_the_code_cannot_undo() -> None:
    with pytest.raises(IllegalMove, match="cannot_undo"):
        undo(History(5, {}), "p1", allowed=False)


# --- what is safe, at any table


def test_a_move_that_can_be_undone_shows_its_mover_nothing_hidden(module: AnyModule) -> None:
    """A move that can be taken back looks to its mover the same in every world they could be in."""
    rng, allowed, refused = Random(1), 0, 0
    for made in (made for seed in range(5) for made in moves_made(module, seed, 40)):
        if not made.safe(module):
            refused += 1
            continue
        allowed += 1
        for _ in range(4):
            fate = Fate("another world", rng.getrandbits(64))
            twin = module.load(made.before)
            module.resample(twin, {made.seat}, fate)
            snapshot, events = step(module, encode(twin), made.seat, made.move, Fate("any", made.number))
            _, truly = step(module, made.before, made.seat, made.move, Fate("other", made.number))
            for looker in (made.seat, None):
                view = module.view(module.load(snapshot), looker)
                assert encode(view) == encode(module.view(module.load(made.after), looker)), made.move
            assert [event for event in events if event.to is None] == [
                event for event in truly if event.to is None
            ]
    assert allowed, "no move could be taken back: this test could not have failed"
    assert refused, "every move could be taken back: this test could not have failed"


@pytest.mark.parametrize("seed", seeds(1, of=4))
def test_the_offer_of_an_undo_tells_the_mover_nothing_hidden(module: AnyModule, seed: int) -> None:
    """It is the same in every state that the mover cannot tell apart, before and after."""
    for made in moves_made(module, seed, 40):
        twin = module.load(made.before)
        module.resample(twin, {made.seat}, Fate("another world", made.number))
        try:
            after, _ = step(module, encode(twin), made.seat, made.move, Fate(made.secret, made.number))
        except IllegalMove:
            continue
        seen = [encode(module.view(module.load(state), made.seat)) for state in (after, made.after)]
        if seen[0] == seen[1]:
            assert made.safe(module, encode(twin)) == made.safe(module), made.move
            assert made.answer(seems_safe, module, encode(twin)) == made.answer(seems_safe, module), made.move


@pytest.mark.parametrize("seed", seeds(1, of=4))
def test_the_check_that_a_move_is_safe_to_undo_is_repeatable(module: AnyModule, seed: int) -> None:
    for made in moves_made(module, seed, 10):
        assert made.safe(module) == made.safe(module)


def test_resample_keeps_the_views_of_two_seats(module: AnyModule) -> None:
    rng, moved = Random(5), 0
    # Not every fourth move: in a game of rounds that would be the same moment of each.
    for made in (made for seed in range(5, 9) for made in some(rng, list(moves_made(module, seed, 24)), 6)):
        state = module.load(made.before)
        for other in [*state.seats, None]:
            pair = {made.seat, other} - {None}
            twin = module.load(made.before)
            module.resample(twin, pair, Fate("pair", made.number))
            moved += encode(twin) != made.before
            for looker in [*pair, None]:
                assert encode(module.view(twin, looker)) == encode(module.view(state, looker))
    changed = moved or module.resample is nothing_hidden
    assert changed, "resample changed nothing: this test could not have failed"


@pytest.mark.parametrize("seed", seeds(2, of=8))
def test_an_undo_is_offered_exactly_where_the_proof_allows_it(module: AnyModule, seed: int) -> None:
    """For each kind of move of random games, several times, with the drawn cards masked and not."""
    by_kind: dict[str, list[Made]] = {}
    for made in (made for game in range(4) for made in moves_made(module, seed + 8 * game, 120)):
        by_kind.setdefault(kind_of(made.move), []).append(made)
    seen = set()
    for made in (made for kind in by_kind.values() for made in some(Random(seed), kind, 5)):
        for veiled in {False, module.secrets.veil is not None}:
            proven = made.answer(is_safe, module, veiled=veiled)
            assert made.answer(seems_safe, module, veiled=veiled) == proven, (made.move, veiled)
            seen.add(proven)
    assert seen == {True, False}, "one answer to all: this test could not have failed"


class Answer(Move, frozen=True, tag="undo"):
    """A module's move by the engine's name."""


def test_a_module_with_its_own_move_called_undo_raises_type_error() -> None:
    with pytest.raises(TypeError):
        decode_table_move(replace(uroboros, move=Answer), b'{"type": "undo"}')


def whispers(state: tally.State) -> list[Event]:
    """A player with a high number is told so in private."""
    return [Event("told", to=("p2",))] if max(state.hands["p2"]) > 20 else []


def copies(state: tally.State) -> list[Event]:
    """A player with a high number finds one like the next seat's in its place, and no one is told."""
    if max(state.hands["p2"]) > 20:
        state.hands["p2"][0] = state.hands["p3"][0]
    return []


@pytest.mark.parametrize("then", [whispers, copies])
@pytest.mark.parametrize("hand", [[3, 4], [3, 30]])
def test_no_undo_is_offered_where_another_seat_may_have_learnt_something(
    then: Callable[[tally.State], list[Event]], hand: list[int]
) -> None:
    """Also where it has not: else the offer would tell the mover what the other one holds."""

    def apply(state: tally.State, seat: SeatKey, move: tally.AnyMove, fate: Fate) -> list[Event]:
        return tally.apply(state, seat, move, fate) + then(state)

    hands = {"p1": [1, 2], "p2": hand, "p3": [5, 6]}
    snapshot = encode(tally.State([*hands], hands, {seat: [] for seat in hands}))
    asked = snapshot, "p1", tally.Lay(1), Fate("any", 1), "seed"
    for check in (is_safe, seems_safe):
        assert check(tally.module, *asked)
        assert not check(replace(tally.module, apply=apply), *asked)


# --- what is safe at the card table


def safe(table: CardTable, mover: str, type_: str, /, **fields: Any) -> bool:
    """True if this move could be taken back if it were made now."""
    move = decode_move(uroboros, json.dumps({"type": type_, **fields}).encode())
    return is_safe(uroboros, table.snapshot, mover, move, Fate("any", 7), "seed")


def test_declarations_and_the_gms_settings_can_be_undone() -> None:
    table = CardTable({"p1": "h02 h03", "p2": "s02 s03"})
    assert safe(table, "p1", "declare", text="I climb")
    assert safe(table, "gm", "set_hp", who="p1", hp=1)
    assert safe(table, "gm", "start_combat")


def test_a_card_played_in_a_contest_can_be_undone() -> None:
    table = CardTable({"p1": "h02 h03", "p2": "s02 s03"}, field="h07")
    table.contest("p1", "p2", 1)
    assert safe(table, "p1", "play", card="h02")


def test_a_move_that_draws_a_card_cannot_be_undone() -> None:
    table = CardTable({"p1": "h02 h03", "p2": "s02 s03"})
    assert not safe(table, "gm", "flip")
    assert not safe(table, "gm", "deal", seat="gm", count=1)
    table.call("p1", 1)
    assert not safe(table, "p1", "draw")
    assert not safe(table, "p1", "play", card="h02"), "the hand is filled up again"


def test_the_gm_cannot_undo_a_move_that_lets_a_player_draw() -> None:
    """The GM's own page is the same for any card, but the player has seen it."""
    table = CardTable({"p1": "h02 h03", "p2": "s02 s03"})
    assert not safe(table, "gm", "deal", seat="p1", count=1)
    table.do("gm", "set_hp", who="p1", hp=1)
    table.do("p1", "discard", cards=["h03"])
    assert not safe(table, "gm", "set_hp", who="p1", hp=2)


def test_a_move_with_a_random_result_cannot_be_undone() -> None:
    table = CardTable({"p1": "h02 h03", "p2": "s02 s03"})
    assert safe(table, "gm", "add_npc", name="wolf", rank=3, hidden=True)
    assert not safe(table, "gm", "add_npc", name="wyrm", rank=5, hidden=True), "its suits are drawn by lot"


def test_a_hit_that_gives_away_hidden_gear_cannot_be_undone() -> None:
    table = CardTable({"p1": "h09 h10"}, field="h07", gm="c02 c03")
    wolf = table.add_npc(name="wolf", rank=3, armour=2)
    table.do("gm", "start_combat")
    table.attack("p1", wolf, 1)
    table.do("p1", "play", card="h09")
    assert not safe(table, "gm", "give_up"), "p1 sees the damage through the armour, and draws"


def test_the_end_of_a_card_table_cannot_be_undone() -> None:
    assert not safe(CardTable({"p1": "h02 h03"}), "gm", "end")


# --- live tables

UNDO = b'{"type": "undo"}'
DECLARE = '{"type": "declare", "text": "壁を登る"}'.encode()


def set_hp(who: str, hp: int) -> bytes:
    return json.dumps({"type": "set_hp", "who": who, "hp": hp}).encode()


def back_to(number: int, reason: str = "") -> bytes:
    return json.dumps({"type": "rewind", "to": number, "reason": reason}).encode()


def snapshot(table: Table) -> bytes:
    table.refresh_from_db()
    return bytes(table.snapshot)


def shown_log(table: Table, who: Somebody) -> str:
    """Return the log on a page at the table, from any of its sheets."""
    return TablePage(who.person, table.pk, "http://takujo.test").render_all().regions["log"]


def kinds(table: Table, seat: str | None = None) -> list[tuple[str, bool]]:
    table.refresh_from_db()
    return [(line.event.kind, line.taken_back) for line in log_of(table, seat)]


@pytest.mark.django_db
class TestUndo:
    def test_a_player_can_undo_their_declaration(self, table: Table) -> None:
        dealt = snapshot(table)
        play(table, "p1", DECLARE)
        assert (can_undo(table, "p1"), can_undo(table, "p2"), can_undo(table, None)) == (True, False, False)
        assert play(table, "p1", UNDO).version == 2
        assert snapshot(table) == dealt
        assert table.version == table.moves.count() == 2
        assert kinds(table) == [("declared", True), ("undone", False)]

    def test_a_seat_cannot_undo_anothers_move_or_its_own_after_anothers_move(self, table: Table) -> None:
        play(table, "p1", DECLARE)
        for seat in ("p2", "gm", "p9"):
            with pytest.raises(IllegalMove, match="cannot_undo"):
                play(table, seat, UNDO)
        play(table, "p2", DECLARE)
        assert not can_undo(table, "p1")
        with pytest.raises(IllegalMove, match="cannot_undo"):
            play(table, "p1", UNDO)

    def test_a_player_can_undo_several_own_moves_but_not_the_deal(self, table: Table) -> None:
        dealt = snapshot(table)
        play(table, "p1", DECLARE)
        after_one = snapshot(table)
        play(table, "p1", DECLARE.replace("壁".encode(), "木".encode()))
        play(table, "p1", UNDO)
        assert snapshot(table) == after_one
        assert can_undo(table, "p1")
        play(table, "p1", UNDO)
        assert snapshot(table) == dealt
        assert not can_undo(table, "p1")
        with pytest.raises(IllegalMove, match="cannot_undo"):
            play(table, "p1", UNDO)

    def test_a_draw_for_a_check_cannot_be_undone(self, table: Table) -> None:
        play(table, "gm", call("p1", difficulty=1))
        play(table, "p1", b'{"type": "draw"}')
        before = snapshot(table)
        assert not can_undo(table, "p1")
        with pytest.raises(IllegalMove, match="cannot_undo"):
            play(table, "p1", UNDO)
        assert snapshot(table) == before

    def test_an_undo_that_was_offered_wrongly_is_refused(
        self, table: Table, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        play(table, "gm", call("p1"))
        play(table, "p1", b'{"type": "draw"}')
        monkeypatch.setattr(undo_engine, "seems_safe", lambda *asked, **named: True)
        assert seat_view.undoable_seat(Table.objects.get(pk=table.pk)) == "p1"
        with pytest.raises(IllegalMove, match="cannot_undo"):
            play(table, "p1", UNDO)

    def test_the_same_undo_sent_twice_takes_back_one_move(self, table: Table) -> None:
        play(table, "p1", DECLARE)
        play(table, "p1", DECLARE)
        client_id = uuid.uuid4()
        first = play(table, "p1", UNDO, client_id=client_id)
        assert play(table, "p1", UNDO, client_id=client_id) == moves.Receipt(first.version, is_repeated=True)

    def test_a_move_sent_again_after_its_undo_is_not_played_again(self, table: Table) -> None:
        client_id = uuid.uuid4()
        play(table, "p1", DECLARE, client_id=client_id)
        play(table, "p1", UNDO)
        assert play(table, "p1", DECLARE, client_id=client_id) == moves.Receipt(1, is_repeated=True)
        table.refresh_from_db()
        assert table.version == 2

    def test_an_undo_made_for_an_older_version_is_stale(self, table: Table) -> None:
        play(table, "p1", DECLARE)
        with pytest.raises(IllegalMove, match="stale"):
            moves.submit(
                table.pk, moves.MoveRequest(seat="p1", client_id=uuid.uuid4(), raw=UNDO, version=0, asked="")
            )

    def test_a_move_after_an_undo_gets_a_new_number_and_replays_correctly(self, table: Table) -> None:
        play(table, "gm", call("p1"))
        play(table, "gm", UNDO)
        play(table, "gm", call("p2"))
        assert table.moves.count() == 3
        assert [number for number, gone in enumerate(kinds(table), 1) if gone[1]] == [1]
        assert replay.snapshot_at(table, 3) == snapshot(table)

    def test_the_sheet_follows_undo_and_rewind(
        self, session: Session, seats: list[Seat], django_capture_on_commit_callbacks: Any
    ) -> None:
        character = Character.objects.create(
            owner=seats[0].person, name="サキ", hp_max=4, hp=4, status="done"
        )
        nights.bring_character(seat=seats[0], character=character)
        table = opening.open_table(session=session, module_key="uroboros", players=seats)
        wounds = ((set_hp("p1", 2), 2), (set_hp("p1", 1), 1))
        for raw, hp in (*wounds, (UNDO, 2), (UNDO, 4), *wounds, (back_to(0), 4)):
            with django_capture_on_commit_callbacks(execute=True):
                play(table, "gm", raw)
            character.refresh_from_db()
            assert character.hp == hp


@pytest.mark.django_db
class TestRewind:
    def test_a_gm_can_rewind_all_moves(self, table: Table) -> None:
        dealt = snapshot(table)
        play(table, "p1", DECLARE)
        after_one = snapshot(table)
        play(table, "gm", b'{"type": "flip"}')
        play(table, "gm", b'{"type": "deal", "seat": "p2", "count": 2}')
        play(table, "gm", back_to(1, "札を間違えました"))
        assert snapshot(table) == after_one
        assert kinds(table)[0] == ("declared", False)
        assert all(gone for kind, gone in kinds(table)[1:-1])
        assert kinds(table)[-1] == ("rewound", False)
        assert can_undo(table, "p1"), "what stands again is the player's own word"
        play(table, "gm", back_to(0))
        assert snapshot(table) == dealt

    def test_a_random_result_can_differ_after_a_rewind(self, table: Table) -> None:
        """The number of the move has grown, and fate depends on it."""
        add = '{"type": "add_npc", "name": "竜", "rank": 6}'.encode()
        suits = set()
        for _ in range(6):
            play(table, "gm", add)
            table.refresh_from_db()
            suits.add(seat_view.seat_view(table, "gm").view.npcs[0].suits)
            play(table, "gm", back_to(0))
        assert len(suits) > 1

    @pytest.mark.parametrize("seat", ["p1", "p2", "p9"])
    def test_players_cannot_rewind(self, table: Table, seat: str) -> None:
        play(table, "p1", DECLARE)
        with pytest.raises(IllegalMove, match="gm_only"):
            play(table, seat, back_to(0))

    @pytest.mark.parametrize("to", [1, 2, 3, 99, 2**31 - 1])
    def test_a_gm_cannot_rewind_to_the_present_or_an_undone_move(self, table: Table, to: int) -> None:
        play(table, "p1", DECLARE)
        play(table, "p1", UNDO)
        play(table, "p1", DECLARE)
        with pytest.raises(IllegalMove, match="cannot_rewind"):
            play(table, "gm", back_to(to))

    def test_a_rewind_opens_an_ended_table_again(self, table: Table) -> None:
        play(table, "p1", DECLARE)
        play(table, "gm", b'{"type": "end"}')
        play(table, "gm", back_to(1))
        table.refresh_from_db()
        assert table.ended_at is None
        play(table, "gm", call())

    def test_no_undo_or_rewind_is_accepted_after_the_session_has_ended(
        self, table: Table, session: Session
    ) -> None:
        play(table, "p1", DECLARE)
        nights.close_session(session=session)
        for seat, raw in (("gm", back_to(0)), ("p1", UNDO)):
            with pytest.raises(IllegalMove, match="session_over"):
                play(table, seat, raw)
        assert not can_undo(table, "p1")
        assert replay.check_log(Table.objects.get(pk=table.pk)).holds

    def test_the_log_check_holds_after_undo_and_rewind(self, table: Table, session: Session) -> None:
        play(table, "p1", DECLARE)
        play(table, "p1", UNDO)
        play(table, "gm", b'{"type": "flip"}')
        play(table, "p1", DECLARE)
        play(table, "gm", back_to(3))
        play(table, "gm", b'{"type": "flip"}')
        assert replay.snapshot_at(table, 5) == replay.snapshot_at(table, 3)
        nights.close_session(session=session)
        assert replay.check_log(Table.objects.get(pk=table.pk)).holds

    def test_a_rewind_unseats_a_latecomer_who_can_be_seated_again(
        self, table: Table, session: Session, kei: Somebody
    ) -> None:
        newcomer = sit(session, kei.person)
        gm_moves.admit(table_pk=table.pk, newcomer=newcomer)
        page = TablePage(kei.person, table.pk, "http://takujo.test")
        seated = page.place()
        play(table, "gm", back_to(0))
        assert not table.table_seats.filter(seat=newcomer).exists()
        assert "data-move" not in "".join(page.render_all().regions.values())
        with pytest.raises(IllegalMove, match="not_seated"):
            play(table, "p3", DECLARE)
        gm_moves.admit(table_pk=table.pk, newcomer=newcomer)
        assert table.table_seats.get(seat=newcomer).key == "p3"
        assert page.place().number > seated.number, "the phone goes on to its new seat"

    def test_a_rewind_removes_an_npcs_notes_with_the_npc(self, table: Table, gm: Somebody) -> None:
        """The next one has its id at the table, and would come with another's notes."""
        wolf = LibraryNpc.objects.create(owner=gm.person, name="狼", rank=1, notes="水を怖がる")
        npcs.spawn_library(table_pk=table.pk, library=wolf, count=1)
        play(table, "gm", back_to(0))
        play(table, "gm", '{"type": "add_npc", "name": "猫", "rank": 1}'.encode())
        table.refresh_from_db()
        assert [npc.id for npc in seat_view.seat_view(table, "gm").view.npcs] == ["n1"]
        assert npcs.notes_of(table) == {}

    def test_the_sessions_gm_can_rewind_a_table_without_a_gm_seat(self, table: Table) -> None:
        play(table, "p1", DECLARE)
        table.table_seats.filter(key="gm").delete()
        moves.rewind(table_pk=table.pk, to=0, reason="", version=1)
        assert kinds(table)[-1] == ("rewound", False)


@pytest.mark.django_db
class TestRewindPage:
    @pytest.fixture
    def address(self, table: Table) -> str:
        play(table, "p1", DECLARE)
        play(table, "gm", b'{"type": "flip"}')
        return f"/t/{table.pk}/rewind/1/"

    def test_the_rewind_page_says_how_many_moves_go_and_rewinds_them(
        self, address: str, table: Table, gm: Somebody
    ) -> None:
        stood = replay.snapshot_at(table, 1)
        page = gm.client.get(address).content.decode()
        assert "次の1手を取り消します" in page
        answer = gm.client.post(address, {"version": 2, "reason": "あ"})
        assert (answer.status_code, answer["Location"]) == (302, table.get_absolute_url())
        assert snapshot(table) == stood
        assert log.read_recent_log(table)[-1][-1].event.data["reason"] == "あ"

    def test_htmx_gets_the_rewind_form_without_the_layout(self, address: str, gm: Somebody) -> None:
        page = gm.client.get(address, headers={"HX-Request": "true"}).content.decode()
        assert "<html" not in page
        assert page.lstrip().startswith("<form")

    def test_only_the_gm_can_open_the_rewind_page(
        self, address: str, table: Table, ayumi: Somebody, kei: Somebody, client: Client
    ) -> None:
        before = contents(table)
        for device in (ayumi.client, kei.client, client):
            assert device.get(address).status_code == 404
            assert device.post(address, {"version": 2}).status_code == 404
        assert contents(table) == before

    @pytest.mark.parametrize(
        "fields",
        [
            {},
            {"version": ""},
            {"version": "x"},
            {"version": -1},
            {"version": 10**30},
            {"version": 2, "reason": "x" * 81},
            {"version": 2, "reason": "\0"},
        ],
    )
    def test_invalid_input_on_the_rewind_page_changes_nothing(
        self, address: str, table: Table, gm: Somebody, fields: dict[str, Any]
    ) -> None:
        before = contents(table)
        assert gm.client.post(address, {"next": "", **fields}).status_code == 422
        assert contents(table) == before

    def test_the_rewind_page_undoes_nothing_if_a_newer_move_was_played(
        self, address: str, table: Table, gm: Somebody
    ) -> None:
        play(table, "p2", DECLARE)
        before = contents(table)
        page = gm.client.post(address, {"version": 2}, follow=True).content.decode()
        assert "もう一度" in page
        assert contents(table) == before

    @pytest.mark.parametrize("to", [2, 3, 99, 10**30])
    def test_the_rewind_page_refuses_a_move_that_does_not_stand(
        self, address: str, table: Table, gm: Somebody, to: int
    ) -> None:
        before = contents(table)
        address = f"/t/{table.pk}/rewind/{to}/"
        assert "取り消す操作がもうありません" in gm.client.get(address).content.decode()
        assert gm.client.post(address, {"version": 2}).status_code == 302
        assert contents(table) == before

    def test_the_rewind_page_undoes_nothing_after_the_session_has_ended(
        self, address: str, table: Table, session: Session, gm: Somebody
    ) -> None:
        nights.close_session(session=session)
        before = contents(table)
        assert "取り消す操作がもうありません" in gm.client.get(address).content.decode()
        gm.client.post(address, {"version": 2})
        assert contents(table) == before
        assert "/rewind/" not in gm.client.get(f"/t/{table.pk}/log/").content.decode()

    def test_links_to_rewind_are_on_the_gms_pages_only(
        self, address: str, table: Table, session: Session, gm: Somebody, ayumi: Somebody, bo: Somebody
    ) -> None:
        for path in (table.get_absolute_url(), f"/t/{table.pk}/log/"):
            assert address in gm.client.get(path).content.decode()
            for device in (ayumi.client, bo.client):
                assert "rewind" not in device.get(path).content.decode()
        for player in (ayumi, bo):
            assert "rewind" not in shown_log(table, player)
        assert "rewind" not in Client().get(f"/face/{session.face_key}/").content.decode()

    def test_a_gm_without_a_table_seat_has_links_to_rewind_too(
        self, address: str, table: Table, gm: Somebody
    ) -> None:
        """As at a board game: the evening's GM has no seat at the table."""
        table.table_seats.filter(key="gm").delete()
        assert address in gm.client.get(f"/t/{table.pk}/log/").content.decode()
        assert address in shown_log(table, gm)
        gm.client.post(address, {"version": 2})
        assert kinds(table)[-1] == ("rewound", False)

    def test_a_sub_gm_in_charge_can_rewind(
        self, address: str, table: Table, seats: list[Seat], ayumi: Somebody
    ) -> None:
        stand_ins.set_deputy(seat=seats[0], deputy=True)
        assert ayumi.client.get(address).status_code == 404
        gm = table.session.seats.get(role="gm")
        Seat.objects.filter(pk=gm.pk).update(stand_in=seats[0])
        assert address in ayumi.client.get(f"/t/{table.pk}/log/").content.decode()
        answer = ayumi.client.post(address, {"version": 2})
        assert answer["Location"] == f"{table.get_absolute_url()}?as={gm.pk}"
        assert kinds(table)[-2:] == [("stood_in", False), ("rewound", False)]
        assert table.moves.last().stand_in == "あゆみ"  # type: ignore[union-attr]


@pytest.mark.django_db(transaction=True)
class TestAtOnce:
    def outcomes(self, table: Table, *played: tuple[str, bytes]) -> list[str]:
        """Send moves at the same moment, all made at the present version; return what came of each."""
        table.refresh_from_db()
        came: dict[int, str] = {}

        def job(number: int, seat: str, raw: bytes) -> Callable[[], None]:
            asked = seat_view.seat_view(table, seat).asked

            def send() -> None:
                try:
                    moves.submit(
                        table.pk,
                        moves.MoveRequest(
                            seat=seat, client_id=uuid.uuid4(), raw=raw, version=table.version, asked=asked
                        ),
                    )
                    came[number] = "accepted"
                except IllegalMove as refusal:
                    came[number] = refusal.code

            return send

        assert at_once(*(job(number, *move) for number, move in enumerate(played))) == []
        return [came[number] for number in range(len(played))]

    def test_two_undos_at_once_take_back_one_move(self, table: Table) -> None:
        play(table, "p1", DECLARE)
        play(table, "p1", DECLARE)
        assert sorted(self.outcomes(table, ("p1", UNDO), ("p1", UNDO))) == ["accepted", "stale"]
        assert len(list(replay.move_history(Table.objects.get(pk=table.pk), 3).standing())) == 1

    def test_an_undo_and_anothers_move_at_once_keep_the_log_consistent(self, table: Table) -> None:
        for _ in range(5):
            play(table, "p1", DECLARE)
            undone, declared = self.outcomes(table, ("p1", UNDO), ("p2", DECLARE))
            assert declared == "accepted"
            assert undone in ("accepted", "stale")
            table.refresh_from_db()
            assert table.moves.count() == table.version
            assert replay.snapshot_at(table, table.version) == bytes(table.snapshot)

    def test_only_one_of_two_rewinds_at_once_is_accepted(self, table: Table) -> None:
        play(table, "p1", DECLARE)
        assert sorted(self.outcomes(table, ("gm", back_to(0)), ("gm", back_to(0)))) == ["accepted", "stale"]
