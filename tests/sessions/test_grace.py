"""The grace after a move: what it drew lies face down for everybody, and the move can be taken back."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterator
from datetime import timedelta
from itertools import islice
from typing import Any, NamedTuple

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from companion.fate import Fate
from sessions.engine.bots import random_game
from sessions.engine.step import decode_move, encode, step
from sessions.engine.undo import is_safe
from sessions.game import IllegalMove
from sessions.game_tests.fixtures import seeds
from sessions.game_tests.screens import opened, screens
from sessions.live import heartbeats, hub, screen_view
from sessions.live.pages import TablePage
from sessions.live.screen_view import ScreenExtras, ScreenView, spectator_view
from sessions.models import Campaign, Move, Seat, Table
from sessions.modules.uroboros import module
from sessions.modules.uroboros.resample import masked_state
from sessions.modules.uroboros.state import GM, State
from sessions.modules.uroboros.tests.table import Table as CardTable
from sessions.table import commit, moves, opening, seat_view, table_cache
from sessions.table import undo_window as veil_room
from tests.conftest import Somebody
from tests.evening import call, can_undo, cards_in, hand, in_database, log_of, play, ws_path
from tests.phones import Phone, phone
from tests.servers import ProcessServer, ThreadServer

UNDO = b'{"type": "undo"}'
DECLARE = b'{"type": "declare", "text": "a wall"}'
LONG = timedelta(hours=1)


# --- what may be taken back while it lies face down


def safe(table: CardTable, mover: str, type_: str, /, **fields: Any) -> tuple[bool, bool]:
    """Return whether this move could be taken back if it were made now: within its grace, and after it."""
    move = decode_move(module, json.dumps({"type": type_, **fields}).encode())
    made = module, table.snapshot, mover, move, Fate("any", 7), "seed"
    return is_safe(*made, veiled=True), is_safe(*made)


WITHIN_THE_GRACE = (True, False)
NEVER = (False, False)


def fight(**hands: str) -> CardTable:
    table = CardTable({"p1": "h02 h03 h04", "p2": "s02 s03"} | hands)
    table.do("gm", "start_combat")
    return table


def dealt() -> CardTable:
    return CardTable({"p1": "h02 h03", "p2": "s02 s03"})


def called() -> CardTable:
    table = dealt()
    table.call("p1", 1)
    return table


def defended() -> CardTable:
    table = fight(p2="h05 h06")
    table.attack("p1", "p2", 1, chain=True)
    for card in ("h02", "h03"):
        table.do("p1", "play", card=card)
    table.do("p1", "stop")
    table.do("p2", "play", card="h05")
    return table


@pytest.mark.parametrize(
    ("table", "mover", "type_", "fields"),
    [
        pytest.param(called, "p1", "play", {"card": "h02"}, id="played, while the refill waits"),
        pytest.param(fight, "p1", "observe", {"npc": None, "card": "h02"}, id="discarded while watching"),
        pytest.param(
            fight,
            "p1",
            "support",
            {"npc": None, "to": "p2", "card": "h02", "text": "…"},
            id="given to another, who has not looked yet",
        ),
        pytest.param(defended, "p2", "play", {"card": "h06"}, id="the last of a chain and its defence"),
        pytest.param(dealt, "gm", "deal", {"seat": "p1", "count": 2}, id="given to a player by the GM"),
    ],
)
def test_a_card_comes_back_within_the_grace(
    table: Callable[[], CardTable], mover: str, type_: str, fields: dict[str, Any]
) -> None:
    assert safe(table(), mover, type_, **fields) == WITHIN_THE_GRACE


@pytest.mark.parametrize("secrecy", ["gm", "own"])
def test_a_card_played_for_a_secret_check_cannot_be_taken_back(secrecy: str) -> None:
    """The GM was told at once how it went, so nothing has to wait."""
    table = called()
    table.do("p1", "play", card="h02")
    table.call("p1", 1, secret=secrecy)
    assert safe(table, "p1", "play", card="h03") == NEVER
    before = table.state
    table.do("p1", "play", card="h03")
    assert masked_state(before, table.state) is None


def test_a_draw_without_a_played_card_cannot_be_taken_back() -> None:
    table = dealt()
    table.do("gm", "set_hp", who="p1", hp=1)
    table.do("p1", "discard", cards=["h03"])
    table.call("p1", 1)
    assert safe(table, "p1", "draw") == NEVER


def test_a_draw_from_a_reshuffled_deck_is_not_masked() -> None:
    table = CardTable({"p1": "h02 h03", "p2": "s02 s03"}, field="h07")
    table.call("p1", 1)
    state = table.state
    table.change(deck=[], pile=[*state.deck, *state.pile])
    before = table.state
    table.do("p1", "play", card="h02")
    assert masked_state(before, table.state) is None


# --- how long it lies


@pytest.mark.parametrize(
    ("after", "lies", "takes_back"),
    [
        (-timedelta(microseconds=1), True, True),
        (timedelta(0), True, False),
        (veil_room.MARGIN - timedelta(microseconds=1), True, False),
        (veil_room.MARGIN, False, False),
    ],
)
def test_cards_stay_masked_longer_than_an_undo_is_accepted(
    after: timedelta, lies: bool, takes_back: bool, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    """Clocks of processes differ by less: nothing is shown that another one may still take back."""
    settings.GRACE_SECONDS = 4
    played_at = timezone.now()
    table = Table(veiled_until=veil_room.unmask_time(played_at))
    now = played_at + timedelta(seconds=4) + after
    monkeypatch.setattr(timezone, "now", lambda: now)
    assert (veil_room.is_masked(table), veil_room.can_take_back(table)) == (lies, takes_back)
    left, undo_left = (veil_room.MARGIN - after).total_seconds(), max(0.0, -after.total_seconds())
    assert veil_room.seconds_left(table) == pytest.approx(left, abs=1e-9)
    assert veil_room.seconds_to_take_back(table) == pytest.approx(undo_left, abs=1e-9)
    assert timedelta(seconds=0.5) <= veil_room.MARGIN


# --- nothing shows through


class Veiled(NamedTuple):
    """A move of a random game over which a veil lies."""

    before: bytes
    seat: str
    move: Any
    number: int
    secret: str

    def after(self, before: bytes | None = None) -> State:
        """Return the veiled state after the move, made on this state or on another."""
        snapshot, _ = step(module, before or self.before, self.seat, self.move, self.fate)
        found = masked_state(module.load(before or self.before), module.load(snapshot))
        assert found is not None
        return found

    @property
    def fate(self) -> Fate:
        return Fate(self.secret, self.number)


def veiled_moves(seed: int) -> Iterator[Veiled]:
    secret = f"grace {seed}"
    first, *rest = random_game(module, 3, secret)
    before = first.snapshot
    for number, played in enumerate(rest, 1):
        assert played.seat
        if masked_state(module.load(before), module.load(played.snapshot)) is not None:
            yield Veiled(before, played.seat, decode_move(module, played.move), number, secret)
        before = played.snapshot


@pytest.mark.parametrize("seed", seeds(2, of=8))
def test_masked_views_are_the_same_for_every_order_of_the_deck(seed: int) -> None:
    """All masked views are the same bytes for every order of the deck, also the mover's."""
    compared = 0
    for made in veiled_moves(seed):
        lookers = [*module.load(made.before).seats, None]
        seen = [encode(module.view(made.after(), looker)) for looker in lookers]
        twin = module.load(made.before)
        module.resample(twin, twin.seats, Fate("another deck", seed))
        assert [encode(module.view(made.after(encode(twin)), looker)) for looker in lookers] == seen
        compared += encode(twin) != made.before
    assert compared, "nothing was drawn: this test could not have failed"


def everything(made: Veiled, before: bytes) -> list[str]:
    """Return the HTML of all screens after the move, as if no drawing were remembered."""
    screen_view.clear_rendered_tables()
    now = opened(module, before)
    now.table.version = made.number - 1
    snapshot, events = step(module, before, made.seat, made.move, made.fate)
    row = Move(number=made.number, seat=made.seat, client_id=uuid.UUID(int=1), events=encode(events))
    then = now.after_move(row, module.load(snapshot), snapshot, None, made.after(before))
    shared = spectator_view(then)
    found = [
        ScreenView(then, screen, ScreenExtras(can_undo=True), shared) for screen in screens(module, then)
    ]
    return [sight.render_region(region) for sight in found for region in sight.every]


@pytest.mark.parametrize("seed", seeds(1, of=6))
def test_masked_screens_are_the_same_for_every_order_of_the_deck(seed: int) -> None:
    compared = 0
    for made in islice(veiled_moves(seed), 6):
        twin = module.load(made.before)
        module.resample(twin, twin.seats, Fate("another deck", seed))
        compared += encode(twin) != made.before
        assert everything(made, made.before) == everything(made, encode(twin))
    assert compared, "nothing was drawn: this test could not have failed"


@pytest.mark.parametrize("seed", seeds(1, of=6))
def test_a_masked_state_has_the_counts_and_questions_of_the_true_state(seed: int) -> None:
    """To everybody else the table looks as if nothing waited."""
    for made in veiled_moves(seed):
        snapshot, _ = step(module, made.before, made.seat, made.move, made.fate)
        true, under = module.load(snapshot), made.after()
        assert encode(module.view(under, None)) == encode(module.view(true, None))
        for seat in true.seats:
            assert module.asked(under, seat) == module.asked(true, seat)


@pytest.mark.parametrize("seed", seeds(1, of=6))
def test_the_offer_of_an_undo_does_not_depend_on_hidden_cards(seed: int) -> None:
    """It does not depend on anything hidden from the mover, and is the same for everybody."""
    offered = 0
    for number, made in enumerate(veiled_moves(seed)):
        twin = module.load(made.before)
        module.resample(twin, {made.seat}, Fate("another world", number))
        answers = {
            is_safe(module, before, made.seat, made.move, made.fate, "seed", veiled=True)
            for before in (made.before, encode(twin))
        }
        assert len(answers) == 1, made.move
        offered += answers == {True}
    assert offered, "nothing could be taken back: this test could not have failed"


# --- at a live table


def look(table: Table, seat: str | None) -> Any:
    return seat_view.seat_view(Table.objects.get(pk=table.pk), seat).view


def state(table: Table) -> State:
    return module.load(bytes(Table.objects.get(pk=table.pk).snapshot))


def true_hand(table: Table, seat: str) -> list[str]:
    return state(table).hands[seat].cards


def drawn(table: Table, seat: str = "p1") -> str:
    """Return the card that came last."""
    return true_hand(table, seat)[-1]


def pass_grace(table: Table, left: timedelta = -timedelta(seconds=1)) -> None:
    """Let the grace be over, or nearly."""
    Table.objects.filter(pk=table.pk).update(veiled_until=timezone.now() + left)


def card_move(card: str) -> bytes:
    """Return the move that plays a card, a joker as hearts."""
    return json.dumps({"type": "play", "card": card} | ({"suit": "h"} if card[0] == "x" else {})).encode()


def play_a_card(table: Table, seat: str = "p1") -> str:
    """Call for a check that any card passes, and play the first of the hand."""
    play(table, GM, call(seat))
    card = true_hand(table, seat)[0]
    play(table, seat, card_move(card))
    return card


@pytest.fixture
def grace(settings: Any) -> None:
    """A grace that ends when a test lets it end."""
    settings.GRACE_SECONDS = LONG.total_seconds()


def page(table: Table, who: Somebody) -> str:
    drawing = TablePage(who.person, table.pk, "http://takujo.test").render_all()
    return " ".join(drawing.regions.values())


@pytest.mark.django_db
@pytest.mark.usefixtures("grace")
class TestGrace:
    def test_a_drawn_card_is_hidden_from_every_seat_during_the_undo_window(
        self, table: Table, gm: Somebody, ayumi: Somebody, bo: Somebody, client: Any
    ) -> None:
        held_before = hand(table, "p1")
        card, new = play_a_card(table), drawn(table)
        assert sorted(true_hand(table, "p1")) == sorted({*held_before, new} - {card})
        me = look(table, "p1").me
        assert (list(me.hand), me.coming) == (held_before[1:], 1)
        assert look(table, None).characters["p1"].hand_count == len(held_before)
        for who in (gm, ayumi, bo):
            assert new not in cards_in(page(table, who))
            assert new not in cards_in(who.client.get(f"{table.get_absolute_url()}").content.decode())
            assert "log-own" not in who.client.get(f"{table.get_absolute_url()}log/").content.decode()
        for seat in (GM, "p1", "p2", None):
            lines = log_of(Table.objects.get(pk=table.pk), seat)
            told = encode([line.event for line in lines]).decode()
            assert new not in cards_in(told)
            assert '"drawn"' in told
        pass_grace(table)
        assert hand(table, "p1") == true_hand(table, "p1")
        assert new in cards_in(page(table, ayumi))
        assert "log-own" in ayumi.client.get(f"{table.get_absolute_url()}log/").content.decode()
        assert new not in cards_in(page(table, bo))

    def test_after_an_undo_the_next_draw_is_the_same_card(self, table: Table) -> None:
        play(table, GM, call("p1"))
        called = bytes(Table.objects.get(pk=table.pk).snapshot)
        play(table, GM, UNDO)
        card, new = play_a_card(table), drawn(table)
        assert [can_undo(table, seat) for seat in ("p1", "p2", GM, None)] == [True, False, False, False]
        table_cache.invalidate_table()  # a process that begins anew
        play(table, "p1", UNDO)
        assert bytes(Table.objects.get(pk=table.pk).snapshot) == called
        assert Table.objects.get(pk=table.pk).veiled_until is None
        assert card in hand(table, "p1")
        assert not can_undo(table, "p1"), "it is the GM's call that stands"
        play(table, "p1", card_move(card))
        assert drawn(table) == new

    def test_an_undo_is_refused_after_the_undo_window_and_in_its_last_moment(self, table: Table) -> None:
        play_a_card(table)
        pass_grace(table, left=timedelta(seconds=0.3))
        assert not can_undo(table, "p1"), "the veil lies longer than an undo is taken"
        pass_grace(table)
        with pytest.raises(IllegalMove, match="cannot_undo"):
            play(table, "p1", UNDO)

    def test_an_undo_is_refused_if_its_time_ends_while_it_waits_for_the_lock(
        self, table: Table, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        play_a_card(table)
        before = bytes(Table.objects.get(pk=table.pk).snapshot)
        # By the time it has the row, another process may have shown the card.
        monkeypatch.setattr(
            moves, "lock_table", lambda pk: monkeypatch.setattr(veil_room, "is_masked", lambda _: False)
        )
        with pytest.raises(IllegalMove, match="cannot_undo"):
            play(table, "p1", UNDO)
        assert bytes(Table.objects.get(pk=table.pk).snapshot) == before

    def test_an_undo_is_refused_if_the_wait_for_the_lock_leaves_only_the_margin(
        self, table: Table, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The margin is for the commit: others lift the veil while it is under way."""
        play_a_card(table)
        monkeypatch.setattr(
            moves, "lock_table", lambda pk: monkeypatch.setattr(veil_room, "MARGIN", 2 * LONG)
        )
        with pytest.raises(IllegalMove, match="cannot_undo"):
            play(table, "p1", UNDO)

    def test_the_next_move_of_any_seat_ends_the_undo_window_for_good(self, table: Table) -> None:
        play_a_card(table)
        play(table, "p2", DECLARE)
        assert hand(table, "p1") == true_hand(table, "p1")
        assert not can_undo(table, "p1")
        play(table, "p2", UNDO)
        assert hand(table, "p1") == true_hand(table, "p1"), "what was seen does not lie face down again"
        with pytest.raises(IllegalMove, match="cannot_undo"):
            play(table, "p1", UNDO)

    def test_a_player_who_ends_the_undo_window_early_cannot_undo(self, table: Table) -> None:
        play_a_card(table)
        version = Table.objects.get(pk=table.pk).version
        for seat, at in (("p2", version), (GM, version), (None, version), ("p1", version - 1)):
            moves.end_undo_window(table_pk=table.pk, seat=seat, version=at)
            assert look(table, "p1").me.coming == 1
        moves.end_undo_window(table_pk=table.pk, seat="p1", version=version)
        assert hand(table, "p1") == true_hand(table, "p1")
        assert not can_undo(table, "p1")
        with pytest.raises(IllegalMove, match="cannot_undo"):
            play(table, "p1", UNDO)
        moves.end_undo_window(table_pk=table.pk, seat="p1", version=version)

    def test_a_refusal_does_not_depend_on_a_masked_card(self, table: Table) -> None:
        """A refusal that depends on it would tell the card to a player who can still take the move back."""
        play(table, GM, json.dumps({"type": "start_combat"}).encode())
        first = look(table, None).turn
        other = next(seat for seat in ("p1", "p2") if seat != first)
        card = true_hand(table, first)[0]
        support = {"type": "support", "npc": None, "to": other, "card": card, "text": "!"}
        play(table, first, json.dumps(support).encode())
        assert look(table, None).turn == other
        new, deck = true_hand(table, other)[-1], state(table).deck[-1]
        assert new == card
        answers = []
        for guess in (new, deck):
            move = {"type": "observe", "npc": None, "card": guess}
            with pytest.raises(IllegalMove) as refused:
                play(table, other, json.dumps(move).encode())
            answers.append((refused.value.code, refused.value.details))
        assert answers[0] == answers[1]
        assert can_undo(table, first)
        pass_grace(table)
        play(table, other, json.dumps({"type": "observe", "npc": None, "card": new}).encode())

    def test_the_undo_window_costs_no_database_query(self, table: Table, settings: Any) -> None:
        def asked() -> int:
            play(table, GM, call("p1"))
            raw = card_move(true_hand(table, "p1")[0])
            table.refresh_from_db()
            now = moves.MoveRequest(
                seat="p1", client_id=uuid.uuid4(), raw=raw, version=table.version, asked=""
            )
            table_cache.invalidate_table()
            with CaptureQueriesContext(connection) as queries:
                moves.submit(table.pk, now)
            return len(queries)

        with_grace = asked()
        settings.GRACE_SECONDS = 0
        assert with_grace == asked()

    def test_a_gm_switches_the_undo_window_off_from_the_next_move_on(
        self, table: Table, campaign: Campaign, gm: Somebody
    ) -> None:
        address = f"/gm/campaigns/{campaign.pk}/house-rules/"
        play_a_card(table)
        assert look(table, "p1").me.coming == 1
        now = table_cache.read_table(table.pk)
        gm.client.post(address, {"part": "grace"})
        assert table_cache.find_outdated([now]), "other processes hear of it"
        play_a_card(table)
        assert look(table, "p1").me.coming == 0
        assert not can_undo(table, "p1")
        gm.client.post(address, {"part": "grace", "grace-0-grace": "on"})
        assert look(table, "p1").me.coming == 0, "what was seen does not lie face down again"
        play_a_card(table)
        assert look(table, "p1").me.coming == 1
        gm.client.post(address, {"part": "grace"})
        gm.client.post(address, {"part": "grace", "reset": "1"})
        campaign.refresh_from_db()
        assert campaign.grace

    def test_a_move_of_a_bot_has_no_undo_window(self, session: Any, seats: list[Seat]) -> None:
        table = opening.open_table(session=session, module_key="uroboros", players=seats)
        table.table_seats.filter(key="p1").update(bot="random")
        play(table, GM, call("p1"))
        raw = card_move(true_hand(table, "p1")[0])
        table.refresh_from_db()
        made = moves.MoveRequest(
            seat="p1", client_id=uuid.uuid4(), raw=raw, version=table.version, asked="", bot="random"
        )
        moves.submit(table.pk, made)
        assert look(table, "p1").me.coming == 0

    def test_masked_cards_are_shown_when_the_table_ends(self, table: Table) -> None:
        play_a_card(table)
        Table.objects.filter(pk=table.pk).update(ended_at=timezone.now())
        assert look(table, "p1").me.coming == 0


@pytest.fixture
def campaign(session: Any) -> Campaign:
    found: Campaign = session.campaign
    return found


@pytest.mark.django_db
@pytest.mark.usefixtures("grace")
def test_an_unmasked_table_is_newer_than_a_masked_one_of_the_same_version(table: Table) -> None:
    play_a_card(table)
    now = table_cache.read_table(table.pk)
    at = now.version, now.seating
    assert hub.is_as_new(now, *at, unveiled=False)
    assert not hub.is_as_new(now, *at, unveiled=True)
    assert hub.is_as_new(now.unmask(), *at, unveiled=True)


# --- on open pages


async def shows(device: Phone, card: str) -> bool:
    """True if a phone has been sent a card, in a region of its own."""
    await device.pong()
    return card in cards_in(device.bytes)


@pytest.fixture
def asks_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process soon hears what a test writes into the database."""
    monkeypatch.setattr(heartbeats, "CHECK_EVERY", 0.05)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("grace", "asks_often")
async def test_the_drawn_card_is_pushed_when_the_undo_window_ends(
    server: ThreadServer, table: Table, ayumi: Somebody, bo: Somebody
) -> None:
    async with phone(server, ayumi, ws_path(table)) as one, phone(server, bo, ws_path(table)) as two:
        for device in (one, two):
            await device.until_version(0)
        await in_database(play_a_card, table)
        new = await in_database(drawn, table)
        await one.until_version(2)
        await one.until_shown("data-draw")
        assert not await shows(one, new)
        await in_database(pass_grace, table, timedelta(seconds=0.2))
        await one.until_shown(f'id="hand-{new}"')
        assert "data-draw" not in one.bytes.partition(f'id="hand-{new}"')[2]
        assert one.version == 2
        assert not await shows(two, new)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("grace")
async def test_only_pages_of_the_mover_get_the_seconds_left_to_undo(
    server: ThreadServer, table: Table, gm: Somebody, ayumi: Somebody, bo: Somebody
) -> None:
    await in_database(play_a_card, table)
    await in_database(pass_grace, table, LONG / 2)
    async with (
        phone(server, ayumi, ws_path(table)) as one,
        phone(server, ayumi, ws_path(table)) as again,
        phone(server, bo, ws_path(table)) as two,
        phone(server, gm, ws_path(table)) as desk,
    ):
        for device in (one, again):
            told = (await device.answer("grace"))["grace"]
            assert told["version"] == 2
            assert 0 < told["left"] <= LONG.total_seconds() / 2
        for device in (two, desk):
            await device.until_version(2)
            await device.pong()
            assert '"grace"' not in device.bytes


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("grace", "asks_often")
async def test_the_undo_button_goes_before_the_drawn_card_is_shown(
    server: ThreadServer, table: Table, ayumi: Somebody, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "UNDO_WINDOW_PAUSE", 0)
    async with phone(server, ayumi, ws_path(table)) as one:
        await one.until_version(0)
        await one.until_shown('id="handouts"')  # what a page gets last when it opens
        await in_database(play_a_card, table)
        await one.until_shown('class="btn quiet ready" data-grace')
        seen = len(one.html)
        monkeypatch.setattr(veil_room, "MARGIN", 2 * LONG)
        await in_database(pass_grace, table, LONG)
        while not any('id="undo"' in html for html in one.html[seen:]):
            await one.receive()
        assert 'id="hand' not in "".join(one.html[seen:])
        assert "ready" not in "".join(one.html[seen:])
        assert (await one.play({"type": "undo"}))["refused"] == "cannot_undo"


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("grace")
async def test_a_tap_ends_the_undo_window_on_all_pages_of_the_player(
    server: ThreadServer,
    server_process: ProcessServer,
    table: Table,
    ayumi: Somebody,
) -> None:
    await in_database(play_a_card, table)
    new = await in_database(drawn, table)
    async with (
        phone(server, ayumi, ws_path(table)) as one,
        phone(server_process, ayumi, ws_path(table)) as there,
    ):
        for device in (one, there):
            await device.until_version(2)
            await device.until_shown("data-draw")
            assert not await shows(device, new)
        await one.socket.send(json.dumps({"draw": 1}))
        assert not await shows(one, new)
        await one.socket.send(json.dumps({"draw": 2}))
        for device in (one, there):
            await device.until_shown(f'id="hand-{new}"')
        assert (await one.play({"type": "undo"}))["refused"] == "cannot_undo"


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("grace", "asks_often")
async def test_another_process_masks_the_drawn_card_and_accepts_the_undo(
    server: ThreadServer,
    server_process: ProcessServer,
    table: Table,
    ayumi: Somebody,
) -> None:
    card = await in_database(play_a_card, table)
    new = await in_database(drawn, table)
    async with phone(server, ayumi, ws_path(table)) as here:
        await here.until_version(2)
        async with phone(server_process, ayumi, ws_path(table)) as there:
            await there.until_version(2)
            await there.until_shown("data-draw")
            assert (await there.play({"type": "undo"}))["accepted"] == 3
            assert new not in cards_in(there.bytes)
        await here.until_version(3)
        await here.until_shown(f'id="hand-{card}"')
        assert not await shows(here, new)


@pytest.fixture
def hears_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that does not ask in the time of a test whether it missed any news."""
    monkeypatch.setattr(heartbeats, "CHECK_EVERY", LONG.total_seconds())


async def taken_back_elsewhere(there: ProcessServer, table: Table, gm: Somebody) -> None:
    async with phone(there, gm, ws_path(table)) as desk:
        await desk.until_version(2)
        assert (await desk.play({"type": "rewind", "to": 1, "reason": ""}))["accepted"] == 3


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("grace", "hears_nothing")
async def test_a_late_message_does_not_unmask_the_card_of_an_undone_move(
    server: ThreadServer,
    server_process: ProcessServer,
    table: Table,
    gm: Somebody,
    ayumi: Somebody,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    await in_database(play_a_card, table)
    new = await in_database(drawn, table)
    late = await in_database(table_cache.read_table, table.pk)
    async with phone(server, ayumi, ws_path(table)) as here:
        await here.until_version(2)
        await taken_back_elsewhere(server_process, table, gm)
        monkeypatch.setattr(veil_room, "is_masked", lambda _: False)
        await in_database(commit.publish_version, late.table)
        assert not await shows(here, new)
        await in_database(
            commit.publish_version, await in_database(Table.objects.select_related("session").get)
        )
        await here.until_version(3)
        assert not await shows(here, new)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("grace", "hears_nothing")
async def test_the_end_of_the_undo_window_does_not_unmask_an_undone_move(
    server: ThreadServer,
    server_process: ProcessServer,
    table: Table,
    gm: Somebody,
    ayumi: Somebody,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    await in_database(play_a_card, table)
    new = await in_database(drawn, table)
    monkeypatch.setattr(veil_room, "seconds_left", lambda _: 0)
    monkeypatch.setattr(hub, "RETRY_AFTER", 0.05)
    async with phone(server, ayumi, ws_path(table)) as here:
        await here.until_version(2)
        assert not await shows(here, new)
        await taken_back_elsewhere(server_process, table, gm)
        await here.until_version(3)
        assert not await shows(here, new)
