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


def test_a_new_visitor_can_begin_a_solitaire_and_find_it_on_the_home_page() -> None:
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


def test_bots_take_the_other_seats_and_a_game_with_too_few_is_refused(bo: Somebody) -> None:
    answer = bo.client.post("/games/goodcop/", filled_in("goodcop") | {"bot_count": "1"})
    assert answer.status_code == 422
    assert not Session.objects.exists()
    table = begin(bo.client, "goodcop")
    assert [sits.bot for sits in table.table_seats.all()] == ["", "steady", "steady", "steady"]
    answer = bo.client.post("/games/goodcop/", filled_in("goodcop") | {"bot_count": "1"})
    assert answer.status_code == 422
    assert Table.objects.count() == 1
    assert Table.objects.get().ended_at is None


def test_solo_games_share_a_session_and_a_repeated_game_ends_the_first(bo: Somebody) -> None:
    first, other, again = begin(bo.client), begin(bo.client, "liarmafia"), begin(bo.client)
    assert first.session == other.session == again.session
    first.refresh_from_db()
    assert first.ended_at
    assert set(free_sessions.unfinished_games(bo.person)) == {other, again}


def test_solo_games_begin_a_new_session_after_many_tables(
    bo: Somebody, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(free_sessions, "TABLES", 1)
    assert begin(bo.client).session != begin(bo.client).session


def test_a_solo_game_cannot_be_opened_by_other_people(bo: Somebody, kei: Somebody, gm: Somebody) -> None:
    table = begin(bo.client)
    for other in (kei.client, gm.client, Client()):
        assert other.get(table.get_absolute_url()).status_code == 404
        assert other.get(table.session.get_absolute_url()).status_code == 404
        assert other.post(f"/s/{table.session_id}/end/").status_code == 404
    assert nights.session_by_code("") is None
    assert nights.code_length() == 6


def test_a_persons_new_games_are_rate_limited(bo: Somebody) -> None:
    limit = free_sessions.GAME_LIMIT.limits[0][0]
    for _ in range(limit):
        assert free_sessions.GAME_LIMIT.count(f"person {bo.person.pk}")
    assert bo.client.post("/games/journey/", filled_in("journey")).status_code == 422
    assert bo.client.post("/games/liarmafia/", {"friends": "1"}).status_code == 422
    assert not Session.objects.exists()


def test_new_games_from_one_address_are_rate_limited() -> None:
    for _ in range(free_sessions.GAME_LIMIT_OF_ADDRESS.limits[0][0]):
        assert free_sessions.GAME_LIMIT_OF_ADDRESS.count("127.0.0.1")
    assert Client().post("/games/journey/", filled_in("journey")).status_code == 422
    assert not Session.objects.exists()


def test_a_game_with_a_gm_and_an_unknown_game_have_no_free_game_page(bo: Somebody) -> None:
    for key in ("uroboros", "chess"):
        assert bo.client.get(f"/games/{key}/").status_code == 404
        assert bo.client.post(f"/games/{key}/").status_code == 404


def test_a_finished_solo_game_offers_a_rematch_first_and_no_reward(bo: Somebody) -> None:
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


def test_friends_join_a_free_session_by_code_and_only_the_host_opens_games(
    bo: Somebody, kei: Somebody
) -> None:
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


def test_all_pages_of_a_free_session_open_without_a_campaign(bo: Somebody, kei: Somebody) -> None:
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


def test_a_free_session_reveals_its_secrets_when_it_ends(bo: Somebody) -> None:
    session = begin(bo.client, "liarmafia").session
    nights.close_session(session=session)
    session.refresh_from_db()
    assert session.secrets_opened_at == session.ended_at
    assert begin(bo.client).session != session


def test_a_free_session_does_not_list_people_of_other_free_sessions(bo: Somebody, kei: Somebody) -> None:
    call_friends(kei.client, "ケイ子")
    session = call_friends(bo.client)
    assert "ケイ子" not in bo.client.get(session.get_absolute_url()).content.decode()


def test_a_character_cannot_be_brought_to_a_free_session(ayumi: Somebody) -> None:
    seat = free_sessions.seat_in_solo_session(ayumi.person)
    with pytest.raises(refusals.Refused, match="no_campaign"):
        nights.bring_character(seat=seat, character=Character.objects.create(owner=ayumi.person))


# --- taken along, moved, let go ------------------------------------------------------------------------


def test_a_guests_solo_games_are_handed_over_to_an_account(bo: Somebody, ayumi: Somebody) -> None:
    table = begin(bo.client)
    personal_data.hand_over(bo.person, ayumi.person)
    assert list(free_sessions.unfinished_games(ayumi.person)) == [table]
    assert ayumi.client.get(table.get_absolute_url()).status_code == 200
    assert bo.client.get(table.get_absolute_url()).status_code == 404


def test_the_host_of_a_free_session_can_move_to_another_phone(bo: Somebody, kei: Somebody) -> None:
    session = call_friends(bo.client)
    token = devices.issue(seat=session.seats.get())
    devices.redeem_link(token=token, person=kei.person)
    assert kei.client.get(f"/s/{session.pk}/games/").status_code == 200
    assert bo.client.get(f"/s/{session.pk}/games/").status_code == 404


def test_the_host_can_give_an_absent_players_seat_to_a_new_phone(bo: Somebody, kei: Somebody) -> None:
    session = call_friends(bo.client)
    away = nights.take_seat(session=session, person=Person.objects.create(), name="ノラ", role=Role.PLAYER)
    devices.claim_seat(seat=away, person=kei.person)
    assert "ノラ" in bo.client.get(session.get_absolute_url()).content.decode()
    claim = away.claims.get()
    bo.client.post(f"/s/{session.pk}/claims/{claim.pk}/", {"allow": "1"})
    assert Seat.objects.get(pk=away.pk).person == kei.person


def test_only_the_host_of_a_free_session_can_remove_and_restore_a_seat(
    bo: Somebody, kei: Somebody, gm: Somebody
) -> None:
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


def test_a_bot_plays_for_a_seat_that_the_host_removed(bo: Somebody, kei: Somebody) -> None:
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


def test_an_erased_hosts_solo_session_is_deleted_and_a_shared_one_ended(bo: Somebody, kei: Somebody) -> None:
    alone, shared = begin(bo.client).session, call_friends(bo.client)
    nights.take_seat(session=shared, person=kei.person, name="ケイ", role=Role.PLAYER)
    personal_data.delete_belongings(bo.person, {})
    assert not Session.objects.filter(pk=alone.pk).exists()
    shared.refresh_from_db()
    assert shared.ended_at
    assert kei.client.get(shared.get_absolute_url()).status_code == 200


def test_only_guests_solo_sessions_unused_for_a_month_are_deleted(
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


def test_the_form_of_a_solitaire_in_a_session_has_no_bot_count(gm: Somebody, session: Session) -> None:
    assert "bot_count" not in gm.client.get(f"/s/{session.pk}/games/journey/").content.decode()
    assert "bot_count" in gm.client.get(f"/s/{session.pk}/games/liarmafia/").content.decode()


@pytest.mark.parametrize(("language", "title"), [("ja", "みんなの卓"), ("en", "A sofa of friends")])
def test_the_title_of_a_free_session_is_in_the_readers_language(
    bo: Somebody, language: str, title: str
) -> None:
    session = call_friends(bo.client)
    page = bo.client.get(session.get_absolute_url(), headers={"Accept-Language": language})
    assert f"<title>{title}" in re.sub(r"\s+", " ", page.content.decode()).replace("> ", ">")
