"""The admin: every page loads for the GM, a table's state cannot be edited, and no secret shows."""

from __future__ import annotations

import base64
import itertools

import pytest
from django.apps import apps
from django.contrib import admin
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from characters.models import Character, ExperienceChecklist, Item, Skill
from sessions.models import Move, Seat, Session, Table
from tests.conftest import Somebody
from tests.evening import call, cards_in, hand, play

pytestmark = pytest.mark.django_db

MODELS = [
    model for app in ("play", "characters", "companion") for model in apps.get_app_config(app).get_models()
]
SHOWN = [model for model in MODELS if admin.site.is_registered(model)]
WRITTEN_ONCE = [Table, Move]


@pytest.fixture
def evening(session: Session, table: Table, seats: list[Seat], ayumi: Somebody) -> Table:
    """A running table with a few moves, a character with everything a sheet has, and one being made."""
    character = Character.objects.create(
        owner=ayumi.person, name="灯台守のナギ", suits="h", hp_max=4, hp=4, status=Character.Status.DONE
    )
    Skill.objects.create(character=character, order=0, name="見張り")
    Item.objects.create(character=character, kind="weapon", name="銛", table_value=1)
    ExperienceChecklist.objects.create(character=character, title="第一夜")
    Seat.objects.filter(pk=seats[0].pk).update(character=character)
    play(table, "gm", b'{"type": "deal", "seat": "p1", "count": 2}')
    play(table, "gm", call("p1"))
    play(table, "p1", b'{"type": "draw"}')
    table.refresh_from_db()
    return table


def address(page: str, model: type[Model], *arguments: object) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=arguments)


def pages(model: type[Model]) -> list[str]:
    """Return the address of every page that the admin has for a model and its rows."""
    found = [address("changelist", model), address("changelist", model) + "?q=a"]
    found += [] if model in WRITTEN_ONCE else [address("add", model)]
    for row in itertools.islice(model._default_manager.all(), 20):
        found += [address(page, model, row.pk) for page in ("change", "history", "delete")]
    return found


@pytest.mark.parametrize("model", SHOWN, ids=lambda model: model.__name__)
def test_every_page_loads_for_the_gm_and_holds_no_secret_and_no_hand(
    evening: Table, gm: Somebody, model: type[Model]
) -> None:
    hidden = {card for seat in ("gm", "p1", "p2") for card in hand(evening, seat)}
    snapshot = bytes(evening.snapshot)
    assert hidden
    for path in pages(model):
        answer = gm.client.get(path)
        assert answer.status_code in (200, 403), path
        assert answer.status_code == 200 or path.endswith(("/add/", "/delete/")), path
        html = answer.content.decode()
        assert evening.secret not in html
        assert cards_in(html).isdisjoint(hidden)
        assert snapshot.decode() not in html
        assert base64.b64encode(snapshot).decode() not in html
    assert gm.client.get("/admin/").status_code == 200


def test_every_model_of_the_evening_is_in_the_admin_by_itself_or_with_its_parent() -> None:
    inline = {inline.model for model in SHOWN for inline in admin.site.get_model_admin(model).inlines}
    missing = {model.__name__ for model in MODELS} - {model.__name__ for model in {*SHOWN, *inline}}
    links, secrets = {"GmLink", "SeatLink", "SeatClaim"}, {"Notice", "HandoutCopy", "TableNpc", "Message"}
    assert missing <= links | secrets, "nor fingerprints of links, nor who got which secret or whisper"


@pytest.mark.parametrize("model", WRITTEN_ONCE, ids=lambda model: model.__name__)
def test_tables_and_moves_are_looked_at_and_not_changed(
    evening: Table, gm: Somebody, model: type[Model]
) -> None:
    before = [list(other.objects.values()) for other in WRITTEN_ONCE]
    row = model._default_manager.first()
    assert row
    tampered = {
        "version": 99,
        "module": "journey",
        "number": 99,
        "seat": "p2",
        "snapshot": "{}",
        "_save": "1",
    }
    tampered |= {"table_seats-TOTAL_FORMS": "0", "table_seats-INITIAL_FORMS": "0"}
    assert gm.client.post(address("add", model), tampered).status_code == 403
    assert gm.client.post(address("change", model, row.pk), tampered).status_code == 403
    assert 'name="_save"' not in gm.client.get(address("change", model, row.pk)).content.decode()
    assert [list(other.objects.values()) for other in WRITTEN_ONCE] == before


def test_a_single_move_is_not_taken_out_of_the_log(evening: Table, gm: Somebody) -> None:
    row = evening.moves.first()
    assert row
    gm.client.post(address("delete", Move, row.pk), {"post": "yes"})
    gm.client.post(
        address("changelist", Move),
        {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"},
    )
    assert evening.moves.count() == evening.version


def test_a_table_goes_with_its_whole_log(evening: Table, gm: Somebody) -> None:
    assert gm.client.post(address("delete", Table, evening.pk), {"post": "yes"}).status_code == 302
    assert not Table.objects.exists()
    assert not Move.objects.exists()


def test_who_sits_where_is_not_swapped(evening: Table, gm: Somebody) -> None:
    """A seat of a table is a hand of cards, so that editing it would show the hand."""
    page = gm.client.get(address("change", Table, evening.pk)).content.decode()
    assert "ボー" in page
    assert '<select name="table_seats-' not in page


@pytest.mark.parametrize("model", SHOWN, ids=lambda model: model.__name__)
def test_players_and_strangers_see_nothing(
    evening: Table, ayumi: Somebody, bo: Somebody, model: type[Model]
) -> None:
    for client in (ayumi.client, bo.client, Client()):
        for path in pages(model)[:6]:
            answer = client.get(path)
            assert answer.status_code == 302
            assert answer.url.startswith("/admin/login/")
