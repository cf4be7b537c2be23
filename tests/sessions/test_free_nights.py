"""Board games without a campaign: a guest alone in three taps, friends on one sofa, and how it is let go."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.utils import timezone

from characters.models import Character
from companion.identity import personal_data
from companion.models import Person
from sessions.engine.registry import registry
from sessions.evening import devices, free_sessions, nights, refusals
from sessions.forms.games import GameForm
from sessions.game import AnyModule
from sessions.models import Role, Seat, Session, Table
from sessions.table import opening
from sessions.table.opening import Sitter
from tests.conftest import Somebody

pytestmark = pytest.mark.django_db


def filled_in(key: str) -> dict[str, object]:
    """Return the form of a game as its page proposes it."""
    form = GameForm(None, module=registry()[key], sitting=1)
    return {name: field.initial for name, field in form.fields.items() if field.initial not in (None, False)}


def begin(client: Client, key: str = "journey", **form: object) -> Table:
    """Begin a game alone as its page does, and return the table that the answer leads to."""
    answer = client.post(f"/games/{key}/", filled_in(key) | form)
    assert answer.status_code == 302, answer.content.decode()
    found = re.fullmatch(r"/t/(\d+)/", answer["Location"])
    assert found
    return Table.objects.get(pk=found[1])


def call_friends(client: Client, name: str = "ボー") -> Session:
    answer = client.post("/games/liarmafia/", {"friends": "1", "name": name})
    assert re.fullmatch(r"/s/\d+/\?game=liarmafia", answer["Location"])
    return Session.objects.get(pk=answer["Location"].split("/")[2])


def age(session: Session, days: int) -> None:
    """Set a session and all its rows back by this number of days."""
    when = timezone.now() - timedelta(days=days)
    Session.objects.filter(pk=session.pk).update(opened_at=when)
    session.tables.update(opened_at=when)


# --- alone ---------------------------------------------------------------------------------------------


def test_a_phone_that_has_never_been_here_begins_a_solitaire_and_finds_it_again() -> None:
    phone = Client()
    home = phone.get("/").content.decode()
    assert 'href="/games/journey/"' in home
    assert "bot_count" not in phone.get("/games/journey/").content.decode()
    assert not Person.objects.exists(), "looking makes nobody"
    table = begin(phone)
    seat = table.table_seats.get().seat
    assert seat
    assert (seat.role, seat.session.campaign, seat.session.code) == (Role.PLAYER, None, "")
    assert phone.get(table.get_absolute_url()).status_code == 200
    assert table.get_absolute_url() in phone.get("/").content.decode()
    assert table.get_absolute_url() in phone.get("/games/journey/").content.decode()
    beside = phone.get(table.session.get_absolute_url()).content.decode()
    assert 'class="qr"' not in beside, "nobody is to come"


def test_bots_sit_on_the_other_seats_and_too_few_open_nothing(bo: Somebody) -> None:
    answer = bo.client.post("/games/goodcop/", filled_in("goodcop") | {"bot_count": "1"})
    assert answer.status_code == 422
    assert not Session.objects.exists()
    table = begin(bo.client, "goodcop")
    assert [sits.bot for sits in table.table_seats.all()] == ["", "steady", "steady", "steady"]
    answer = bo.client.post("/games/goodcop/", filled_in("goodcop") | {"bot_count": "1"})
    assert answer.status_code == 422
    assert Table.objects.count() == 1
    assert Table.objects.get().ended_at is None


def test_further_games_go_on_in_one_session_and_an_unfinished_one_makes_room(bo: Somebody) -> None:
    first, other, again = begin(bo.client), begin(bo.client, "liarmafia"), begin(bo.client)
    assert first.session == other.session == again.session
    first.refresh_from_db()
    assert first.ended_at
    assert set(free_sessions.unfinished_games(bo.person)) == {other, again}


def test_after_many_tables_another_session_begins(bo: Somebody, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(free_sessions, "TABLES", 1)
    assert begin(bo.client).session != begin(bo.client).session


def test_nobody_else_finds_what_is_played_alone(bo: Somebody, kei: Somebody, gm: Somebody) -> None:
    table = begin(bo.client)
    for other in (kei.client, gm.client, Client()):
        assert other.get(table.get_absolute_url()).status_code == 404
        assert other.get(table.session.get_absolute_url()).status_code == 404
        assert other.post(f"/s/{table.session_id}/end/").status_code == 404
    assert nights.session_by_code("") is None
    assert nights.code_length() == 6


def test_a_flood_of_games_is_refused_and_opens_nothing(bo: Somebody) -> None:
    limit = free_sessions.GAME_LIMIT.limits[0][0]
    for _ in range(limit):
        assert free_sessions.GAME_LIMIT.count(f"person {bo.person.pk}")
    assert bo.client.post("/games/journey/", filled_in("journey")).status_code == 422
    assert bo.client.post("/games/liarmafia/", {"friends": "1"}).status_code == 422
    assert not Session.objects.exists()


def test_a_flood_from_one_address_is_refused_whoever_asks() -> None:
    for _ in range(free_sessions.GAME_LIMIT_OF_ADDRESS.limits[0][0]):
        assert free_sessions.GAME_LIMIT_OF_ADDRESS.count("127.0.0.1")
    assert Client().post("/games/journey/", filled_in("journey")).status_code == 422
    assert not Session.objects.exists()


def test_a_module_with_a_gm_and_an_unknown_game_are_not_begun_so(bo: Somebody) -> None:
    for key in ("uroboros", "chess"):
        assert bo.client.get(f"/games/{key}/").status_code == 404
        assert bo.client.post(f"/games/{key}/").status_code == 404


def test_the_end_offers_again_first_and_no_reward(bo: Somebody) -> None:
    table = begin(bo.client)
    Table.objects.filter(pk=table.pk).update(ended_at=timezone.now())
    page = bo.client.get(table.get_absolute_url()).content.decode()
    buttons = page[page.index('class="over"') :]
    assert buttons.index(f"/t/{table.pk}/again/") < buttons.index(f"/t/{table.pk}/log/")
    assert "/reward/" not in page
    answer = bo.client.post(f"/t/{table.pk}/again/")
    assert Table.objects.get(rematch_of=table).get_absolute_url() == answer["Location"]


def test_a_gm_who_plays_alone_is_not_asked_for_rewards(gm: Somebody, session: Session) -> None:
    own = session.seats.get()
    table = opening.open_table(session=session, module_key="journey", players=[Sitter(own)])
    Table.objects.filter(pk=table.pk).update(ended_at=timezone.now())
    assert "/reward/" not in gm.client.get(table.get_absolute_url()).content.decode()


# --- with friends --------------------------------------------------------------------------------------


def test_friends_come_in_by_the_code_and_the_host_begins(bo: Somebody, kei: Somebody) -> None:
    session = call_friends(bo.client)
    lounge = bo.client.get(f"{session.get_absolute_url()}?game=liarmafia").content.decode()
    assert session.spoken_code in lounge
    assert f"/s/{session.pk}/games/liarmafia/" in lounge
    kei.client.post(f"/j/{session.code}/", {"name": "ケイ", "role": "player"})
    page = kei.client.get(session.get_absolute_url())
    assert page.status_code == 200
    assert f"/s/{session.pk}/games/" not in page.content.decode()
    for path in (f"/s/{session.pk}/games/", f"/s/{session.pk}/games/liarmafia/"):
        assert kei.client.get(path).status_code == 404
    for path in ("end", "code", "door"):
        assert kei.client.post(f"/s/{session.pk}/{path}/").status_code == 404
    seats = list(session.seats.order_by("pk").values_list("pk", flat=True))
    answer = bo.client.post(
        f"/s/{session.pk}/games/liarmafia/", filled_in("liarmafia") | {"seat": seats, "bot_count": "0"}
    )
    assert kei.client.get(answer["Location"]).status_code == 200


def test_the_evenings_pages_do_without_a_campaign(bo: Somebody, kei: Somebody) -> None:
    session = call_friends(bo.client)
    kei.client.post(f"/j/{session.code}/", {"name": "ケイ", "role": "spectator"})
    seat = session.seats.get(person=bo.person)
    table = opening.open_table(
        session=session, module_key="liarmafia", players=[seat, Sitter(None, "steady")], opened_by=seat
    )
    assert bo.client.get(f"/face/{session.face_key}/").status_code == 200
    assert bo.client.get(f"/face/{session.face_key}/join/").status_code == 200
    for path in ("report", "log", "log/file/?format=markdown", "log/file/?format=json"):
        path = path if "?" in path else f"{path}/"
        assert bo.client.get(f"/s/{session.pk}/{path}").status_code == 200, path
    assert bo.client.post(f"/s/{session.pk}/seats/{seat.pk}/link/").status_code == 200
    assert Client().get(f"/j/{session.code}/").status_code == 200
    assert bo.client.get("/account/data/").status_code == 200
    assert kei.client.post(f"/s/{session.pk}/over/").status_code in (302, 404)
    assert bo.client.post(f"/s/{session.pk}/end/").status_code == 302
    for path in (f"/s/{session.pk}/", f"/s/{session.pk}/verify/", table.get_absolute_url()):
        assert bo.client.get(path).status_code == 200, path


def test_an_evening_that_has_ended_opens_what_was_hidden(bo: Somebody) -> None:
    session = begin(bo.client, "liarmafia").session
    nights.close_session(session=session)
    session.refresh_from_db()
    assert session.secrets_opened_at == session.ended_at
    assert begin(bo.client).session != session


def test_people_of_other_free_evenings_are_not_missed_here(bo: Somebody, kei: Somebody) -> None:
    call_friends(kei.client, "ケイ子")
    session = call_friends(bo.client)
    assert "ケイ子" not in bo.client.get(session.get_absolute_url()).content.decode()


def test_nobody_brings_a_character(ayumi: Somebody) -> None:
    seat = free_sessions.seat_in_solo_session(ayumi.person)
    with pytest.raises(refusals.Refused, match="no_campaign"):
        nights.bring_character(seat=seat, character=Character.objects.create(owner=ayumi.person))


# --- taken along, moved, let go ------------------------------------------------------------------------


def test_an_account_takes_a_guests_games_over(bo: Somebody, ayumi: Somebody) -> None:
    table = begin(bo.client)
    personal_data.hand_over(bo.person, ayumi.person)
    assert list(free_sessions.unfinished_games(ayumi.person)) == [table]
    assert ayumi.client.get(table.get_absolute_url()).status_code == 200
    assert bo.client.get(table.get_absolute_url()).status_code == 404


def test_the_host_stays_the_host_on_another_phone(bo: Somebody, kei: Somebody) -> None:
    session = call_friends(bo.client)
    token = devices.issue(seat=session.seats.get())
    devices.redeem_link(token=token, person=kei.person)
    assert kei.client.get(f"/s/{session.pk}/games/").status_code == 200
    assert bo.client.get(f"/s/{session.pk}/games/").status_code == 404


def test_the_host_gives_a_silent_seat_to_a_new_phone(bo: Somebody, kei: Somebody) -> None:
    session = call_friends(bo.client)
    away = nights.take_seat(session=session, person=Person.objects.create(), name="ノラ", role=Role.PLAYER)
    devices.claim_seat(seat=away, person=kei.person)
    assert "ノラ" in bo.client.get(session.get_absolute_url()).content.decode()
    claim = away.claims.get()
    bo.client.post(f"/s/{session.pk}/claims/{claim.pk}/", {"allow": "1"})
    assert Seat.objects.get(pk=away.pk).person == kei.person


def test_the_host_takes_a_seat_back_and_gives_it_back(bo: Somebody, kei: Somebody, gm: Somebody) -> None:
    session = call_friends(bo.client)
    own = session.seats.get()
    seat = nights.take_seat(session=session, person=kei.person, name="ケイ", role=Role.PLAYER)
    where = f"/s/{session.pk}/seats/{seat.pk}"
    for other in (kei.client, gm.client):
        assert other.post(f"{where}/remove/").status_code == 404
    assert bo.client.post(f"/s/{session.pk}/seats/{own.pk}/remove/").status_code == 404
    assert f"{where}/remove/" in bo.client.get(session.get_absolute_url()).content.decode()
    bo.client.post(f"{where}/remove/")
    assert kei.client.get(session.get_absolute_url()).status_code == 403
    bo.client.post(f"{where}/restore/")
    assert kei.client.get(session.get_absolute_url()).status_code == 200


def test_a_bot_plays_on_where_the_host_took_a_seat_back(bo: Somebody, kei: Somebody) -> None:
    session = call_friends(bo.client)
    seat = nights.take_seat(session=session, person=kei.person, name="ケイ", role=Role.PLAYER)
    host = session.seats.get(person=bo.person)
    table = opening.open_table(
        session=session,
        module_key="liarmafia",
        players=[Sitter(host), Sitter(seat)],
        options={},
        opened_by=host,
    )
    bo.client.post(f"/s/{session.pk}/seats/{seat.pk}/remove/")
    sits = table.table_seats.get(seat=seat)
    assert sits.bot
    bo.client.post(f"/s/{session.pk}/seats/{seat.pk}/restore/")
    assert kei.client.get(table.get_absolute_url()).status_code == 200


def test_who_goes_takes_their_own_games_away_and_leaves_the_friends_theirs(
    bo: Somebody, kei: Somebody
) -> None:
    alone, shared = begin(bo.client).session, call_friends(bo.client)
    nights.take_seat(session=shared, person=kei.person, name="ケイ", role=Role.PLAYER)
    personal_data.delete_belongings(bo.person, {})
    assert not Session.objects.filter(pk=alone.pk).exists()
    shared.refresh_from_db()
    assert shared.ended_at
    assert kei.client.get(shared.get_absolute_url()).status_code == 200


def test_what_no_guest_used_for_a_month_is_swept_and_nothing_else(
    bo: Somebody, kei: Somebody, ayumi: Somebody, session: Session
) -> None:
    old, younger = begin(bo.client).session, begin(kei.client).session
    accounts, joined = begin(ayumi.client).session, call_friends(bo.client)
    nights.take_seat(session=joined, person=ayumi.person, name="あゆみ", role=Role.PLAYER)
    for each, days in ((old, 31), (younger, 29), (accounts, 400), (joined, 400), (session, 400)):
        age(each, days)
    played = begin(Client()).session
    age(played, 31)
    table = played.tables.get()
    table.moves.create(
        number=1, seat="p1", client_id="00000000-0000-4000-8000-000000000000", move=b"", events=b""
    )
    assert free_sessions.delete_unused_sessions() == 0, "whoever begins an evening has swept"
    assert set(Session.objects.all()) == {younger, accounts, joined, session, played}


# --- the shelf -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("module", registry().values(), ids=lambda module: module.key)
def test_every_game_has_a_cover_of_its_own(module: AnyModule) -> None:
    assert module.cover, "what the shelf says of it"
    path = finders.find(f"tables/{module.key}/cover.svg")
    assert path
    least, most = module.cover.minutes
    assert 0 < least < most


def test_a_solitaire_is_not_asked_for_bots_in_an_evening_either(gm: Somebody, session: Session) -> None:
    assert "bot_count" not in gm.client.get(f"/s/{session.pk}/games/journey/").content.decode()
    assert "bot_count" in gm.client.get(f"/s/{session.pk}/games/liarmafia/").content.decode()


@pytest.mark.parametrize(("language", "title"), [("ja", "みんなの卓"), ("en", "A sofa of friends")])
def test_the_title_of_a_free_night_is_in_each_readers_language(
    bo: Somebody, language: str, title: str
) -> None:
    session = call_friends(bo.client)
    page = bo.client.get(session.get_absolute_url(), headers={"Accept-Language": language})
    assert f"<title>{title}" in re.sub(r"\s+", " ", page.content.decode()).replace("> ", ">")
