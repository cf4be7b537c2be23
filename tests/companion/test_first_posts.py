"""Two taps over a slow line: the browser drops the first answer, and the second says the same."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from characters.models import Character
from companion.identity import gm_link, people, person_links
from companion.models import Person, User
from sessions.evening import devices, free_sessions, nights
from sessions.models import Seat, SeatClaim, Session, Table
from tests.characters.test_exchange_pages import BRING, CHICKEN
from tests.conftest import Somebody
from tests.evening import sit
from tests.servers import ThreadServer
from tests.sessions.test_free_nights import filled_in

pytestmark = pytest.mark.django_db

PASSWORD = "sumire-no-hana"
Form = tuple[str, dict[str, str]]


def token_in(page: str) -> str:
    found = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
    assert found
    return found[1]


def sent_twice(address: str, fields: dict[str, str], device: Client | None = None) -> tuple[object, Client]:
    """Send a page's form twice, the second time without what the first answer brought. Return the answer."""
    device = device or Client(enforce_csrf_checks=True)
    fields = fields | {"csrfmiddlewaretoken": token_in(device.get(address).content.decode())}
    first = Client(enforce_csrf_checks=True)
    first.cookies.load({name: kept.value for name, kept in device.cookies.items()})
    answers = [first.post(address, fields), device.post(address, fields)]
    assert [answer.status_code for answer in answers] == [302, 302]
    assert answers[0].url == answers[1].url
    return answers[1].url, device


def of_a_seat(session: Session) -> Form:
    return f"/j/{session.code}/", {"name": "はる", "role": "player"}


def of_a_spectator(session: Session) -> Form:
    return f"/j/{session.code}/", {"name": "はる", "role": "spectator"}


def of_a_claim(session: Session) -> Form:
    seat = sit(session, Person.objects.create(name="ナオ"))
    return f"/j/{session.code}/mine/", {"seat": str(seat.pk)}


def of_a_seats_link(session: Session) -> Form:
    seat = sit(session, Person.objects.create(name="ナオ"))
    return f"/seat/{devices.issue(seat=seat)}/", {}


def of_a_persons_key(session: Session) -> Form:
    seat = sit(session, Person.objects.create(name="ナオ"))
    return f"/device/{person_links.issue_code(seat.person)}/", {}


def of_a_practice(session: Session) -> Form:
    return "/practice/", {"who": "akari"}


def of_a_game_alone(session: Session) -> Form:
    return "/games/journey/", filled_in("journey")


def of_friends(session: Session) -> Form:
    return "/games/liarmafia/", {"friends": "1", "name": "はる"}


def of_a_character(session: Session) -> Form:
    return "/characters/new/", {"method": "standard"}


def of_an_import(session: Session) -> Form:
    return BRING, {"text": CHICKEN, "yes": "1"}


@pytest.mark.parametrize(
    "form",
    [
        of_a_seat,
        of_a_spectator,
        of_a_claim,
        of_a_seats_link,
        of_a_persons_key,
        of_a_practice,
        of_a_game_alone,
        of_friends,
        of_a_character,
        of_an_import,
    ],
)
def test_a_new_device_that_taps_twice_makes_one_row_and_owns_it(
    form: Callable[[Session], Form], session: Session
) -> None:
    address, fields = form(session)
    people_before = Person.objects.count()
    led_to, device = sent_twice(address, fields)
    assert Person.objects.count() == people_before + 1
    mine = Person.objects.latest("pk")
    assert device.get(led_to).status_code == 200
    assert device.get("/").wsgi_request.person == mine
    made = {
        Seat: Seat.objects.filter(person=mine),
        Session: Session.objects.filter(host=mine),
        Character: Character.objects.filter(owner=mine),
        Table: Table.objects.all(),
        SeatClaim: SeatClaim.objects.all(),
    }
    assert max(rows.count() for rows in made.values()) == 1


def test_a_first_game_is_begun_once_by_two_taps(session: Session) -> None:
    device = Client(enforce_csrf_checks=True)
    fields = {"csrfmiddlewaretoken": token_in(device.get("/games/journey/").content.decode())}
    answers = [device.post("/games/journey/first/", fields).url for _ in range(2)]
    assert answers[0] == answers[1]
    assert device.get(answers[1]).status_code == 200


def test_a_sign_up_by_two_taps_makes_one_account_and_signs_in(db: None) -> None:
    fields = {"username": "haru", "password1": PASSWORD, "password2": PASSWORD}
    led_to, device = sent_twice("/account/sign-up/", fields)
    assert device.get(led_to).wsgi_request.user == User.objects.get(username="haru")
    assert Person.objects.count() == 1


def test_the_gms_link_signs_in_the_device_that_tapped_twice(db: None) -> None:
    led_to, device = sent_twice(f"/gm/enter/{gm_link.issue()}/", {})
    assert device.get(led_to).wsgi_request.user.get_username() == "gm"


def test_a_second_guest_of_a_device_gets_one_seat_by_two_taps(session: Session, bo: Somebody) -> None:
    sit(session, bo.person)
    tablet = Client(enforce_csrf_checks=True)
    tablet.cookies.load(bo.cookies)
    led_to, device = sent_twice(f"/s/{session.pk}/beside/", {"name": "はる", "role": "player"}, tablet)
    assert "はる" in device.get(led_to).content.decode()
    assert sorted(session.seats.values_list("name", flat=True)) == ["GM", "はる", "ボー"]


def test_a_form_copied_to_another_device_does_not_work_there(session: Session) -> None:
    address, fields = of_a_seat(session)
    device, thief = (Client(enforce_csrf_checks=True) for _ in range(2))
    fields["csrfmiddlewaretoken"] = token_in(device.get(address).content.decode())
    thief.get(address)
    thief.cookies["csrftoken"] = device.cookies["csrftoken"].value
    assert device.post(address, fields).status_code == 302
    stolen = thief.post(address, fields)
    assert stolen.status_code == 422, "a form of its own, with a name that is taken"
    assert people.COOKIE not in stolen.cookies or stolen.wsgi_request.person.name != "はる"


def test_viewing_a_form_makes_no_person(session: Session) -> None:
    before = Person.objects.count()
    for address in ("/", f"/j/{session.code}/", f"/j/{session.code}/mine/", "/practice/", "/games/journey/"):
        assert Client().get(address).status_code == 200
    assert Person.objects.count() == before


def test_a_late_response_does_not_lose_the_devices_seat(session: Session) -> None:
    """Two tabs of a new device: the slow one was asked for before the other one took a seat."""
    address, fields = of_a_seat(session)
    device, late = Client(enforce_csrf_checks=True), Client().get("/")
    fields["csrfmiddlewaretoken"] = token_in(device.get(address).content.decode())
    device.post(address, fields)
    device.cookies.update(late.cookies)
    assert device.get(address).url == session.get_absolute_url()


def test_two_fresh_forms_of_one_device_make_two_sessions(bo: Somebody) -> None:
    """A new request from a fresh page is no second tap."""
    device = Client(enforce_csrf_checks=True)
    device.cookies.load(bo.cookies)
    for _ in range(2):
        fields = {"friends": "1", "name": "ボー"}
        fields["csrfmiddlewaretoken"] = token_in(device.get("/games/liarmafia/").content.decode())
        device.post("/games/liarmafia/", fields)
    assert Session.objects.filter(host=bo.person, title=free_sessions.WITH_FRIENDS).count() == 2


@pytest.mark.django_db(transaction=True)
def test_simultaneous_taps_make_one_person_with_one_seat(server: ThreadServer, gm: Somebody) -> None:
    session = nights.open_session(campaign=gm.person.campaigns.create(name="蛇"), title="夜")
    device = HTTPCookieProcessor()
    address = f"{server.url}/j/{session.code}/"
    with build_opener(device).open(address) as page:
        token = token_in(page.read().decode())
    cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in device.cookiejar)

    def tap(number: int) -> str:
        # What differs is no copy of one form: these are kept together by the database alone.
        fields = {"name": "はる", "role": "player", "csrfmiddlewaretoken": token, "tap": str(number // 2)}
        sent = Request(address, urlencode(fields).encode(), {"Cookie": cookies})
        with build_opener(HTTPCookieProcessor()).open(sent) as answer:
            return str(answer.url)

    with ThreadPoolExecutor(6) as pool:
        led_to = set(pool.map(tap, range(6)))
    assert led_to == {f"{server.url}{session.get_absolute_url()}"}
    assert session.seats.exclude(person=gm.person).count() == 1
    assert Person.objects.exclude(pk=gm.person.pk).count() == 1


def test_a_copied_key_of_a_new_device_expires(session: Session) -> None:
    """A browser that others use, too: one of them has copied the key before there was a person."""
    watcher, player = Client(), Client()
    watcher.get("/")
    player.cookies.load({people.NEW_COOKIE: watcher.cookies[people.NEW_COOKIE].value})
    player.post(f"/j/{session.code}/", {"name": "はる", "role": "player"})
    assert player.get(session.get_absolute_url()).status_code == 200
    Person.objects.update(created_at=timezone.now() - people.NEW_FOR)
    assert watcher.get(session.get_absolute_url()).status_code == 404
    watcher.post(f"/j/{session.code}/", {"name": "ナオ", "role": "player"})
    one, other = session.seats.exclude(name="GM")
    assert one.person != other.person


def test_a_form_that_makes_no_row_stores_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[str] = []
    monkeypatch.setattr(cache, "set", lambda key, *rest: kept.append(key))
    device = Client()
    device.get("/")
    fields = {"language": "en", "next": "/", "csrfmiddlewaretoken": "x"}
    assert device.post("/language/setlang/", fields).status_code == 302
    assert kept == []
