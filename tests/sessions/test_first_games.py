"""First games: begun with a tap by anybody, played against scripts, left at any time, and counted nowhere."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from companion.fate import Fate
from companion.models import Person
from sessions.board_games import games
from sessions.board_games.own_games import bests, record
from sessions.engine import bots as engine
from sessions.engine.bots import SCRIPT
from sessions.engine.registry import registry
from sessions.engine.step import encode
from sessions.evening import refusals
from sessions.models import Seat, Session, Table, Trial
from sessions.table import bots, opening
from sessions.table.opening import Sitter
from tests.conftest import Somebody
from tests.evening import play
from tests.sessions.test_free_nights import filled_in

pytestmark = pytest.mark.django_db

BRINGING = [key for key, module in registry().items() if module.first_game]
LIES = b'{"type": "place", "slots": [{"card": "police", "facing": "up"}, {"card": "hitman", "facing": "up"}]}'


def begin(client: Client, key: str = "liarmafia") -> Table:
    """Begin a first game as its page does."""
    answer = client.post(f"/games/{key}/first/")
    found = re.fullmatch(r"/t/(\d+)/", answer["Location"])
    assert found
    return Table.objects.get(pk=found[1])


def let_scripts_play(table: Table) -> None:
    table.refresh_from_db()
    while bots.play_next(table_pk=table.pk, version=table.version):
        table.refresh_from_db()


def play_on(table: Table) -> None:
    """Let the newcomer play as a bot would, until the table has ended."""
    module = registry()[table.module]
    for _ in range(200):
        let_scripts_play(table)
        if table.ended_at:
            return
        move = engine.choose_move(
            module, engine.STEADY, module.load(bytes(table.snapshot)), "p1", Fate("n", table.version)
        )
        play(table, "p1", encode(move))
    raise AssertionError("no end")


def catch_the_lie(table: Table) -> None:
    for move in (LIES, b'{"type": "pass"}', b'{"type": "declare", "action": "embezzle"}'):
        play(table, "p1", move)
        let_scripts_play(table)
    for move in (b'{"type": "gain", "how": "take"}', b'{"type": "rotate", "slot": 0}'):
        play(table, "p1", move)
    let_scripts_play(table)
    play(table, "p1", b'{"type": "doubt"}')
    table.refresh_from_db()


def person_of(table: Table) -> Person:
    assert table.opened_by
    assert table.opened_by.person
    return table.opened_by.person


@pytest.mark.parametrize("key", BRINGING)
def test_a_new_visitor_can_play_a_first_game_to_its_end(key: str) -> None:
    phone = Client()
    page = phone.get(f"/games/{key}/").content.decode()
    assert f'action="/games/{key}/first/"' in page
    table = begin(phone, key)
    assert (table.session.trial, table.clock) == (Trial.FIRST_GAME, 0)
    shown = phone.get(f"/t/{table.pk}/").content.decode()
    assert 'id="first-game"' in shown
    assert "data-lesson=" not in shown
    play_on(table)
    over = phone.get(f"/t/{table.pk}/").content.decode()
    assert f'formaction="/games/{key}/first/"' in over
    assert f'href="/games/{key}/"' in over


def test_a_first_game_ends_when_the_newcomer_has_caught_the_lie() -> None:
    phone = Client()
    table = begin(phone)
    let_scripts_play(table)
    catch_the_lie(table)
    assert table.ended_at
    assert games.first_game_end(table) == "caught"
    assert "見抜きました" in phone.get(f"/t/{table.pk}/").content.decode()


def test_an_ordinary_game_does_not_end_when_a_lie_is_caught(session: Session, seats: list[Seat]) -> None:
    choices = games.GameChoices(options={"first": "p2"})
    table = games.open_game(key="liarmafia", opener=seats[0], players=seats[:2], choices=choices)
    for seat in ("p1", "p2"):
        play(table, seat, LIES)
    play(table, "p2", b'{"type": "declare", "action": "smuggle"}')
    play(table, "p1", b'{"type": "doubt"}')
    table.refresh_from_db()
    assert table.ended_at is None


@pytest.mark.parametrize("key", BRINGING)
def test_a_first_game_counts_in_no_record_and_has_no_rematch(key: str) -> None:
    phone = Client()
    table = begin(phone, key)
    play_on(table)
    person = person_of(table)
    assert record(person, table) is None
    assert not registry()[key].tables.daily or bests(person, key).ever == []
    assert "over-record" not in phone.get(f"/t/{table.pk}/").content.decode()
    assert phone.post(f"/t/{table.pk}/again/").status_code == 404
    assert phone.get(f"/t/{table.pk}/verify/").status_code == 404


def test_a_first_game_can_be_resumed_until_the_next_one_begins() -> None:
    phone = Client()
    first = begin(phone)
    assert phone.get(f"/s/{first.session_id}/").headers["Location"] == "/games/liarmafia/"
    for page in ("/", "/games/liarmafia/"):
        assert f'href="/t/{first.pk}/"' in phone.get(page).content.decode()
    begin(phone)
    assert not Session.objects.filter(pk=first.session_id).exists()


def test_a_first_game_does_not_end_the_players_ordinary_game() -> None:
    phone = Client()
    first = begin(phone)
    own = Table.objects.get(
        pk=phone.post("/games/liarmafia/", filled_in("liarmafia")).headers["Location"].split("/")[2]
    )
    second = begin(phone)
    assert own.session_id not in (first.session_id, second.session_id)
    own.refresh_from_db()
    assert own.ended_at is None


def test_another_person_cannot_open_a_first_game(bo: Somebody) -> None:
    table = begin(Client())
    assert bo.client.get(f"/t/{table.pk}/").status_code == 404


def test_a_game_without_a_first_game_answers_404() -> None:
    assert Client().post("/games/tally/first/").status_code == 404
    assert Client().post("/games/uroboros/first/").status_code == 404


def test_a_scripted_bot_is_refused_in_an_ordinary_session(session: Session, seats: list[Seat]) -> None:
    with pytest.raises(refusals.Refused, match="no_such_bot"):
        opening.open_table(
            session=session, module_key="liarmafia", players=[Sitter(seats[0]), Sitter(None, SCRIPT)]
        )
