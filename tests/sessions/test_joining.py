"""Scan or type, say your name, sit down."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import count, islice

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from characters.models import Character
from companion.identity import people
from companion.models import Person
from companion.requests import throttle
from sessions.evening import devices, nights
from sessions.evening.refusals import Refused
from sessions.management.commands.demo import SAMPLES, create_character
from sessions.models import CODE_LIFETIME, Role, Seat, Session, Table
from tests.conftest import Somebody
from tests.evening import sit
from tests.phones import joined
from tests.servers import ThreadServer

pytestmark = pytest.mark.django_db


def join(client: Client, session: Session, name: str = "はる", role: str = "player") -> object:
    return client.post(f"/j/{session.code}/", {"name": name, "role": role})


def test_a_guest_with_the_code_and_a_name_gets_a_player_seat(session: Session, client: Client) -> None:
    assert client.get(f"/j/{session.code}/").status_code == 200
    answer = join(client, session)
    assert answer.url == session.get_absolute_url()
    assert Seat.objects.get(name="はる").role == Role.PLAYER
    assert client.get(answer.url).status_code == 200


WIDE = str.maketrans("0123456789", "０１２３４５６７８９")


@pytest.mark.parametrize("typed", ["{a}{b}", "{a} {b}", "{a}-{b}", " {a}{b} ", "{wide}"])
def test_a_typed_join_code_may_have_separators_and_wide_digits(
    session: Session, client: Client, typed: str
) -> None:
    typed = typed.format(a=session.code[:3], b=session.code[3:], wide=session.code.translate(WIDE))
    assert client.get("/j/", {"code": typed}).url == f"/j/{session.code}/"


def test_a_device_with_a_seat_returns_to_the_seat_without_a_form(session: Session, client: Client) -> None:
    join(client, session)
    assert client.get(f"/j/{session.code}/").url == session.get_absolute_url()
    join(client, session, "べつの名前")
    assert Seat.objects.filter(session=session, role=Role.PLAYER).count() == 1


def test_a_seated_device_returns_although_joining_is_closed(session: Session, client: Client) -> None:
    join(client, session)
    nights.set_joining(session=session, is_open=False)
    assert client.get(f"/j/{session.code}/").url == session.get_absolute_url()


def test_a_wrong_expired_rotated_locked_or_ended_code_gives_the_same_page(
    session: Session, client: Client
) -> None:
    def strangers_page(code: str) -> str:
        answer = Client().get(f"/j/{code}/")
        assert answer.status_code == 404
        page = answer.content.decode().replace(code, "")
        return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", page)

    wrong = strangers_page("000000" if session.code != "000000" else "000001")
    old = session.code
    nights.rotate_code(session=session)
    assert strangers_page(old) == wrong
    nights.set_joining(session=session, is_open=False)
    assert strangers_page(session.code) == wrong
    nights.set_joining(session=session, is_open=True)
    Session.objects.update(code_issued_at=timezone.now() - CODE_LIFETIME - timedelta(seconds=1))
    assert strangers_page(session.code) == wrong
    Session.objects.update(code_issued_at=timezone.now())
    assert Client().get(f"/j/{session.code}/").status_code == 200, (
        "the code opened nothing for another reason"
    )
    nights.close_session(session=Session.objects.get())
    assert strangers_page(session.code) == wrong


@pytest.mark.parametrize("name", ["", "   ", "\u200b\u202e", "\u3164", "\u115f\u1160", "あ" * 13, "x" * 5000])
def test_an_invalid_name_is_refused_and_gets_no_seat(session: Session, client: Client, name: str) -> None:
    assert join(client, session, name).status_code == 422
    assert not Seat.objects.filter(role=Role.PLAYER).exists()


@pytest.mark.parametrize(
    ("name", "twin", "offered"),
    [
        ("Akira", " ＡＫＩＲＡ ", "AKIRA2"),
        ("あゆみ", "あゆみ\u3164", "2"),
        ("あゆみ", "あゆみ\ufe0f", "2"),
        ("あゆみ", "あ\u034fゆみ", "2"),
        ("カイ", "力イ", "2"),
        ("Bill", "BiIl", "2"),
    ],
    ids=ascii,
)
def test_a_name_that_looks_like_a_taken_one_gets_a_free_suggestion(
    session: Session, client: Client, name: str, twin: str, offered: str
) -> None:
    join(client, session, name)
    answer = join(Client(), session, twin)
    assert answer.status_code == 422
    assert offered in answer.context["form"]["name"].value()
    assert Seat.objects.filter(role=Role.PLAYER).count() == 1


def test_a_removed_seat_is_not_restored_beside_a_similar_name(session: Session) -> None:
    first = nights.take_seat(session=session, person=Person.objects.create(), name="Bill", role=Role.PLAYER)
    nights.remove_seat(seat=first)
    nights.take_seat(session=session, person=Person.objects.create(), name="BiIl", role=Role.PLAYER)
    with pytest.raises(Refused, match="name_taken"):
        nights.restore_seat(seat=first)


@pytest.mark.parametrize("name", ["👨\u200d👩\u200d👧", "می\u200cخواهم", "ＡＫＩ"], ids=ascii)
def test_a_name_is_kept_as_the_guest_wrote_it(session: Session, client: Client, name: str) -> None:
    join(client, session, name)
    assert Seat.objects.get(role=Role.PLAYER).name == name


@pytest.mark.parametrize("role", ["gm", "", "owner"])
def test_a_guest_cannot_join_as_gm_or_with_an_unknown_role(
    session: Session, client: Client, role: str
) -> None:
    assert join(client, session, role=role).status_code == 422


WAYS_IN = ["/j/?code={}", "/j/{}/", "/j/{}/mine/", "/j/{}/mine/state/"]


def wrong_codes(session: Session) -> Iterator[str]:
    return (code for number in count() if (code := f"{number:06}") != session.code)


def bare(answer: HttpResponse, code: str) -> tuple[int, str]:
    """Return what a stranger can tell of an answer."""
    page = answer.content.decode().replace(code, "")
    return answer.status_code, re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", page)


@pytest.mark.parametrize("way", WAYS_IN)
def test_wrong_join_codes_are_rate_limited(session: Session, way: str) -> None:
    tried = islice(wrong_codes(session), 30)
    answers = [Client().get(way.format(code)).status_code for code in tried]
    assert answers[-1] == 429
    assert answers[0] != 429


@pytest.mark.parametrize("way", WAYS_IN)
def test_after_the_rate_limit_a_right_code_is_answered_like_a_wrong_one(
    session: Session, kei: Somebody, bo: Somebody, way: str
) -> None:
    claimed = sit(session, bo.person)
    devices.claim_seat(seat=claimed, person=kei.person)
    *_, wrong = [code for code in islice(wrong_codes(session), 25) if Client().get(f"/j/{code}/")]
    for who in (Client(), kei.client):
        assert bare(who.get(way.format(session.code)), session.code) == bare(
            who.get(way.format(wrong)), wrong
        )
        assert bare(who.post(way.format(session.code)), session.code) == bare(
            who.post(way.format(wrong)), wrong
        )


def test_after_the_rate_limit_no_code_is_looked_up_in_the_database(session: Session) -> None:
    for code in islice(wrong_codes(session), 20):
        Client().get(f"/j/{code}/")
    with CaptureQueriesContext(connection) as asked:
        assert Client().get(f"/j/{session.code}/").status_code == 429
    assert not [query for query in asked if f"'{session.code}'" in query["sql"]]


def test_a_join_link_opens_although_codes_are_rate_limited(session: Session, client: Client) -> None:
    for code in islice(wrong_codes(session), 25):
        client.get(f"/j/{code}/")
    way_in = nights.join_url(session, "")
    page = client.get(way_in)
    assert page.status_code == 200
    key = way_in.partition("?")[2]
    assert f"?{key}" in page.content.decode()
    assert client.post(way_in, {"name": "はる", "role": "player"}).url == session.get_absolute_url()
    assert Client().get(f"/j/{session.code}/mine/?{key}").status_code == 200
    other = next(wrong_codes(session))
    assert Client().get(f"/j/{other}/?{key}").status_code == 429


def test_right_join_codes_do_not_count_toward_the_rate_limit(session: Session) -> None:
    assert {Client().get(f"/j/{session.code}/").status_code for _ in range(70)} == {200}


def test_the_server_checks_a_limited_number_of_wrong_codes_a_day(session: Session) -> None:
    heard = 0
    # Every try from somewhere else; a minute after the last, then at times for the rest of the day.
    minutes = [*range(nights.MISSES_A_DAY + 10), *range(300, 24 * 60, 20)]
    with pytest.MonkeyPatch.context() as patch:
        for number, code in zip(minutes, wrong_codes(session), strict=False):
            patch.setattr(throttle, "now", lambda at=number: at * 60)
            answer = Client(REMOTE_ADDR=f"10.0.{number // 200}.{number % 200}").get(f"/j/{code}/")
            heard += answer.status_code == 404
    assert heard == nights.MISSES_A_DAY


@pytest.mark.parametrize(("others", "digits"), [(0, 6), (4, 6), (5, 7), (53, 7), (54, 8), (546, 8), (547, 9)])
def test_join_codes_get_longer_with_the_number_of_open_sessions(others: int, digits: int) -> None:
    assert nights.needed_code_length(others) == digits
    years = 10**digits / (others + 1) / nights.MISSES_A_DAY / 365
    assert years >= nights.YEARS_TO_HIT


def test_the_sixth_open_session_gets_a_code_of_seven_digits(session: Session, client: Client) -> None:
    assert 'data-code="6"' in client.get("/").content.decode()
    *few, sixth = [nights.open_session(campaign=session.campaign, title=f"{n}") for n in range(5)]
    assert {len(one.code) for one in (session, *few)} == {6}
    assert len(sixth.code) == 7
    assert client.get("/j/", {"code": sixth.spoken_code}).url == f"/j/{sixth.code}/"
    assert 'data-code=""' in client.get("/").content.decode()
    for one in (session, *few):
        nights.close_session(session=one)
    assert 'data-code="7"' in client.get("/").content.decode()
    nights.rotate_code(session=sixth)
    assert len(sixth.code) == 6


def test_a_removed_device_is_rate_limited_when_it_guesses_codes(session: Session, bo: Somebody) -> None:
    nights.remove_seat(seat=sit(session, bo.person))
    for code in islice(wrong_codes(session), 25):
        bo.client.get(f"/j/{code}/")
    assert bo.client.get(f"/j/{session.code}/").status_code == 429


def test_300_phones_behind_one_address_join_eight_sessions(session: Session) -> None:
    more = [nights.open_session(campaign=session.campaign, title=f"{number}") for number in range(7)]
    tables = [session, *more]
    for code in islice(wrong_codes(session), 25):
        Client().get(f"/j/{code}/")

    def enter(number: int) -> tuple[int, str]:
        there = nights.join_url(tables[number % 8], "")
        answer = Client().post(there, {"name": f"n{number}", "role": "player"})
        return answer.status_code, answer["Location"]

    led_to = [enter(number) for number in range(300)]
    assert led_to == [(302, tables[number % 8].get_absolute_url()) for number in range(300)]
    assert Seat.objects.filter(role=Role.PLAYER).values("person").distinct().count() == 300


@pytest.mark.django_db(transaction=True)
def test_phones_behind_one_address_join_at_the_same_time(server: ThreadServer, session: Session) -> None:
    with ThreadPoolExecutor(8) as pool:
        phones = list(pool.map(lambda number: joined(server, session.code, f"n{number}"), range(33)))
    assert len({phone.cookies[people.COOKIE] for phone in phones}) == 33
    assert session.seats.filter(role=Role.PLAYER).count() == 33


def test_a_code_lets_in_no_more_people_than_there_are_seats(session: Session) -> None:
    for number in range(nights.SEATS_AT_MOST + 20):
        join(Client(), session, f"n{number}")
    join(Client(), session, "n1")
    assert Person.objects.count() == Seat.objects.count() == nights.SEATS_AT_MOST


def test_a_join_with_a_taken_name_creates_no_person(session: Session, client: Client) -> None:
    sit(session, Person.objects.create(name="アキラ"))
    before = Person.objects.count()
    assert join(client, session, "アキラ").status_code == 422
    assert Person.objects.count() == before
    assert join(client, session, "はる").status_code == 302
    assert client.get(session.get_absolute_url()).status_code == 200


def test_cross_site_requests_for_codes_are_not_counted_and_get_the_form(session: Session) -> None:
    phone = Client(headers={"Sec-Fetch-Site": "cross-site"})
    for code in islice(wrong_codes(session), 30):
        assert phone.get(f"/j/{code}/").status_code == 200
    page = phone.get(f"/j/{session.code}/").content.decode()
    assert f'value="{session.code}"' in page
    assert Client().get(f"/j/{session.code}/").status_code == 200


def test_wrong_codes_in_addresses_do_not_block_the_code_form(session: Session) -> None:
    """Home servers on plain http are not told where a request comes from."""
    for code in islice(wrong_codes(session), 30):
        Client().get(f"/j/{code}/")
    assert Client().get(f"/j/{session.code}/").status_code == 429
    phone = Client()
    assert phone.get(phone.post("/j/", {"code": session.code}).url).status_code == 200
    for code in islice(wrong_codes(session), 25):
        last = phone.post("/j/", {"code": code}).status_code
    assert last == 429
    assert phone.post("/j/", {"code": session.code}).status_code == 429, "guesses at the form are counted"


def test_a_full_session_refuses_another_guest(session: Session, client: Client) -> None:
    for number in range(nights.SEATS_AT_MOST - 1):
        sit(session, Person.objects.create(name=f"n{number}"))
    assert join(client, session).status_code == 422


def test_removed_seats_do_not_count_toward_the_seat_limit(session: Session, client: Client) -> None:
    for number in range(nights.SEATS_AT_MOST):
        nights.remove_seat(seat=sit(session, Person.objects.create(name=f"n{number}")))
    assert join(client, session).status_code == 302


@pytest.mark.parametrize("code", ["12345", "1234567", "1" * 11, "abcdef", "%00%00", "１２３", "../../x"])
def test_a_malformed_join_code_is_not_found(session: Session, client: Client, code: str) -> None:
    assert client.get("/j/", {"code": code}).status_code == 404


def test_a_removed_device_stays_out_until_the_gm_gives_the_seat_back(
    session: Session, bo: Somebody, gm: Somebody
) -> None:
    seat = sit(session, bo.person)
    gm.client.post(f"/s/{session.pk}/seats/{seat.pk}/remove/")
    assert bo.client.get(session.get_absolute_url()).status_code == 403
    join(bo.client, session, "ボー")
    assert bo.client.get(session.get_absolute_url()).status_code == 403
    gm.client.post(f"/s/{session.pk}/seats/{seat.pk}/restore/")
    assert bo.client.get(session.get_absolute_url()).status_code == 200


def test_a_removed_device_reads_no_log_and_brings_no_character(
    table: Table, seats: list[Seat], bo: Somebody
) -> None:
    log = f"{table.get_absolute_url()}log/"
    assert bo.client.get(log).status_code == 200
    nights.remove_seat(seat=seats[1])
    assert bo.client.get(log).status_code == 403
    assert bo.client.get(table.get_absolute_url()).status_code == 403
    for verb in ("bring", "play"):
        assert bo.client.post(f"/s/{table.session_id}/{verb}/").status_code == 404


def test_a_forged_device_cookie_gives_no_access(session: Session, bo: Somebody, client: Client) -> None:
    sit(session, bo.person)
    client.cookies["takujo"] = bo.person.key.hex + ":forged"
    assert client.get(session.get_absolute_url()).status_code == 404


def test_a_person_without_a_seat_does_not_find_the_session(session: Session, kei: Somebody) -> None:
    for path in [session.get_absolute_url(), f"/s/{session.pk}/code/", f"/s/{session.pk}/bring/"]:
        answer = kei.client.get(path) if path == session.get_absolute_url() else kei.client.post(path)
        assert answer.status_code == 404


def test_the_home_page_links_a_seated_person_to_the_session(
    session: Session, ayumi: Somebody, bo: Somebody
) -> None:
    way = f'href="{session.get_absolute_url()}"'
    seat = sit(session, ayumi.person)
    assert way in ayumi.client.get("/").content.decode()
    assert way not in bo.client.get("/").content.decode()
    assert way not in Client().get("/").content.decode()
    nights.remove_seat(seat=seat)
    assert way not in ayumi.client.get("/").content.decode()
    nights.restore_seat(seat=seat)
    nights.close_session(session=session)
    assert way not in ayumi.client.get("/").content.decode()


# Again


def last_night(session: Session, who: Somebody, name: str, sheet: Character) -> None:
    seat = nights.take_seat(session=session, person=who.person, name=name, role=Role.PLAYER)
    nights.bring_character(seat=seat, character=sheet)
    nights.close_session(session=session)


def test_a_returning_player_joins_the_next_session_with_one_tap(session: Session, bo: Somebody) -> None:
    sheet = create_character(bo.person, SAMPLES[1])
    last_night(session, bo, "ハルカ", sheet)
    tonight = nights.open_session(campaign=session.campaign, title="第二夜")
    way_in = nights.join_url(tonight, "")
    page = bo.client.get(way_in).content.decode()
    form = page[page.index('class="again"') :].partition("</form>")[0]
    sent = dict(re.findall(r'name="(name|character|role)" value="([^"]+)"', form))
    assert sent == {"name": "ハルカ", "character": str(sheet.pk), "role": "player"}
    assert bo.client.post(way_in, sent).url == tonight.get_absolute_url()
    seat = tonight.seats.get(person=bo.person)
    assert (seat.name, seat.character, seat.approved) == ("ハルカ", sheet, False)


def test_a_player_cannot_join_with_another_persons_character(
    session: Session, bo: Somebody, kei: Somebody
) -> None:
    foreign = create_character(kei.person, SAMPLES[1])
    sent = {"name": "ボー", "role": "player", "character": str(foreign.pk)}
    assert bo.client.post(f"/j/{session.code}/", sent).status_code == 404
    assert not Seat.objects.filter(person=bo.person).exists()


def test_a_newcomer_is_not_offered_the_one_tap_join(session: Session, client: Client) -> None:
    assert 'class="again"' not in client.get(f"/j/{session.code}/").content.decode()


def test_the_name_of_an_account_is_not_offered_as_a_display_name(session: Session) -> None:
    client = Client()
    sent = {"username": "himitsu", "password1": "korehanagai88", "password2": "korehanagai88"}
    assert client.post("/account/sign-up/", sent).status_code == 302
    page = client.get(f"/j/{session.code}/").content.decode()
    assert "himitsu" not in page.partition("<main")[2]
    Person.objects.filter(user__username="himitsu").update(name="himitsu")
    assert "himitsu" not in client.get(f"/j/{session.code}/").content.decode().partition("<main")[2]


APPS = {
    "line": "Mozilla/5.0 (iPhone) AppleWebKit Safari Line/14.1.0",
    "instagram": "Mozilla/5.0 (iPhone) AppleWebKit Mobile/15E148 Instagram 300.0.0 (iPhone)",
    "facebook": "Mozilla/5.0 (Linux; Android 13) Chrome/110 Mobile [FBAN/EMA;FBAV/350.0]",
}


@pytest.mark.parametrize("app", APPS)
def test_an_in_app_browser_is_offered_a_real_browser_before_the_form(
    session: Session, client: Client, app: str
) -> None:
    key = nights.join_key(session.code)
    page = client.get(f"/j/{session.code}/?key={key}", headers={"User-Agent": APPS[app]}).content.decode()
    assert 'name="name"' not in page
    assert (f"openExternalBrowser=1&amp;key={key}" in page) is (app == "line")
    assert ("intent://testserver/j/" in page) is (app == "facebook")
    stays = client.get(f"/j/{session.code}/?key={key}&stay=1", headers={"User-Agent": APPS[app]})
    assert 'name="name"' in stays.content.decode()


def test_the_link_preview_of_a_session_has_no_code_key_or_names(
    session: Session, seats: list[Seat], client: Client
) -> None:
    page = client.get(f"{nights.join_url(session, '')}").content.decode()
    shown = "".join(re.findall(r'<meta property="og:[^>]+>', page))
    assert session.title in shown
    assert session.campaign.name in shown
    for hidden in (session.code, nights.join_key(session.code), *(seat.name for seat in seats)):
        assert hidden not in shown
