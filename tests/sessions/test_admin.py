"""The admin: every page loads for the GM, a table's state cannot be edited, and no secret shows."""

from __future__ import annotations

import base64
import html
import itertools
import re
from collections.abc import Iterator

import pytest
from django.apps import apps
from django.contrib import admin
from django.core.exceptions import SuspiciousOperation
from django.db.models import Model
from django.test import Client, RequestFactory
from django.urls import reverse

from characters.models import Character, ExperienceChecklist, Item, Skill
from companion.models import Person, User
from sessions.models import Campaign, Handout, LibraryNpc, Move, SceneNote, Seat, Session, Table
from tests.conftest import Somebody
from tests.evening import call, cards_in, hand, play

pytestmark = pytest.mark.django_db

MODELS = [
    model for app in ("play", "characters", "companion") for model in apps.get_app_config(app).get_models()
]
SHOWN = [model for model in MODELS if admin.site.is_registered(model)]
WRITTEN_ONCE = [Table, Move]


@pytest.fixture
def evening(table: Table, seats: list[Seat], ayumi: Somebody) -> Table:
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
        page = answer.content.decode()
        assert evening.secret not in page
        assert cards_in(page).isdisjoint(hidden)
        assert snapshot.decode() not in page
        assert base64.b64encode(snapshot).decode() not in page
    assert gm.client.get("/admin/").status_code == 200


def test_every_model_of_the_evening_is_in_the_admin_by_itself_or_with_its_parent() -> None:
    inline = {inline.model for model in SHOWN for inline in admin.site.get_model_admin(model).inlines}
    missing = {model.__name__ for model in MODELS} - {model.__name__ for model in {*SHOWN, *inline}}
    links, secrets = (
        {"GmLink", "PersonLink", "PushSubscription", "SeatLink", "SeatClaim"},
        # A limit's number would tell in what order the nameless proposals came.
        {"Notice", "HandoutCopy", "TableNpc", "Message", "Milestone", "Ending", "Picture", "Limit"},
    )
    prepared = {"Stage", "ScenarioRevision", "ScenarioPicture", "ScenarioSound"}
    assert missing <= links | secrets | prepared, "nor links, nor states, nor who got a secret"


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


def test_an_odd_address_fills_no_form(evening: Table, gm: Somebody) -> None:
    page = "/admin/characters/experiencechecklist/add/?character=%E7%A5%86"
    assert gm.client.get(page).status_code == 200


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


def lookups(model: type[Model]) -> Iterator[str]:
    """Yield what an address may ask of every field of a model, and of what it leads to."""
    for field in model._meta.get_fields():
        yield from (f"{field.name}__{how}" for how in ("regex", "gt"))
        if field.is_relation and field.related_model:
            yield from (f"{field.name}__{other.name}__regex" for other in field.related_model._meta.fields)


@pytest.mark.parametrize("model", admin.site._registry, ids=lambda model: model.__name__)
def test_no_list_answers_a_question_that_its_filters_do_not_ask(gm: Somebody, model: type[Model]) -> None:
    page, asked = address("changelist", model), list(lookups(model))
    assert gm.client.get(page, {asked[0]: "^a"}).status_code == 400
    # There are a thousand: drawing each refusal would take ten times as long as asking for its list.
    refused = []
    for lookup in asked:
        request = RequestFactory().get(page, {lookup: "^a"})
        request.user = gm.person.user
        try:
            admin.site.get_model_admin(model).get_changelist_instance(request)
        except SuspiciousOperation:
            refused.append(lookup)
    assert refused == asked


@pytest.mark.parametrize("model", SHOWN, ids=lambda model: model.__name__)
def test_the_filters_of_a_list_still_work(evening: Table, gm: Somebody, model: type[Model]) -> None:
    page = gm.client.get(address("changelist", model))
    offered = set(re.findall(r'href="\?([^"]+)"', page.content.decode()))
    for query in offered:
        answer = gm.client.get(f"{address('changelist', model)}?{html.unescape(query)}")
        assert (answer.status_code, answer.request["QUERY_STRING"]) == (200, html.unescape(query))


def test_a_seat_changes_hands_in_the_evening_only(evening: Table, gm: Somebody, kei: Somebody) -> None:
    seat = Seat.objects.filter(session=evening.session, role="player").first()
    assert seat
    before = list(Seat.objects.values())
    taken = {"person": kei.person.pk, "stand_in": seat.pk, "deputy": "on", "name": "x", "_save": "1"}
    gm.client.post(address("change", Seat, seat.pk), taken)
    gm.client.post(address("add", Seat), taken | {"session": evening.session_id, "role": "player"})
    gm.client.post(address("delete", Seat, seat.pk), {"post": "yes"})
    inline = {f"seats-0-{name}": value for name, value in {**taken, "id": seat.pk}.items()}
    counts = {"seats-TOTAL_FORMS": "1", "seats-INITIAL_FORMS": "1", "title": "第一夜"}
    gm.client.post(address("change", Session, evening.session_id), inline | counts)
    assert list(Seat.objects.values()) == before


def test_nobody_becomes_somebody_else(evening: Table, gm: Somebody, ayumi: Somebody, bo: Somebody) -> None:
    person, user = ayumi.person, ayumi.person.user
    assert user
    gm.client.post(address("change", Person, bo.person.pk), {"name": "ボー", "user": gm.person.user_id})
    new = {"password1": "another-one-9", "password2": "another-one-9", "usable_password": "true"}
    assert gm.client.post(
        f"{address('change', User, user.pk)[: -len('change/')]}password/", new
    ).status_code in (
        403,
        404,
    )
    gm.client.post(
        address("change", User, user.pk), {"username": "ayumi", "email": "gm@example.org", "password": "x"}
    )
    user.refresh_from_db()
    assert user.check_password("ayumi")
    assert user.email == ""
    assert {Person.objects.get(pk=who.pk).user for who in (person, bo.person)} == {user, None}
    assert not {"account", "mfa"} & {model._meta.app_label for model in admin.site._registry}
    assert bo.person.key.hex not in gm.client.get(address("change", Person, bo.person.pk)).content.decode()


def test_the_end_of_a_night_which_tells_its_secrets_is_the_gms(evening: Table, gm: Somebody) -> None:
    ended = {
        "title": "終わり",
        "ended_at_0": "2026-01-01",
        "ended_at_1": "00:00",
        "secrets_opened_at_0": "2026-01-01",
    }
    counts = {"seats-TOTAL_FORMS": "0", "seats-INITIAL_FORMS": "0"}
    gm.client.post(address("change", Session, evening.session_id), ended | counts)
    found = Session.objects.get()
    assert (found.title, found.ended_at, found.secrets_opened_at) == ("終わり", None, None)


def test_what_lies_ready_for_some_is_nobody_elses(session: Session, gm: Somebody, kei: Somebody) -> None:
    handout = Handout.objects.create(campaign=session.campaign, title="HO1", secret="裏切り者")
    scene = SceneNote.objects.create(campaign=session.campaign, title="港", text="霧の中の船")
    npc = LibraryNpc.objects.create(owner=kei.person, name="番人", rank=1, notes="弱点は火")
    for row, hidden in ((handout, handout.secret), (scene, scene.text), (npc, npc.notes)):
        assert hidden not in gm.client.get(address("change", type(row), row.pk)).content.decode()
    counts = {"sessions-TOTAL_FORMS": "0", "sessions-INITIAL_FORMS": "0", "name": "蛇", "jokers": "2"}
    gm.client.post(address("change", Campaign, session.campaign_id), counts | {"gm": kei.person.pk})
    gm.client.post(
        address("change", LibraryNpc, npc.pk), {"owner": gm.person.pk, "name": "番人", "rank": "1"}
    )
    assert Campaign.objects.get().gm == gm.person
    assert LibraryNpc.objects.get().owner == kei.person


def test_the_way_in_is_the_sign_in_page_which_slows_down_guessers(
    client: Client, gm: Somebody, ayumi: Somebody
) -> None:
    guess = {"username": "gm", "login": "gm", "password": "wrong"}
    answers = [client.post("/admin/login/", guess, follow=True).status_code for _ in range(3)]
    assert set(answers) == {200}, "the sign-in page of everybody, and nothing is tried"
    way_in = client.get("/admin/login/?next=/admin/").url
    assert way_in.startswith(reverse("account_login"))
    assert [client.post(way_in, guess).status_code for _ in range(12)][-1] == 429
    assert gm.client.get("/admin/login/").status_code == 302
    assert ayumi.client.get("/admin/login/").status_code == 403
