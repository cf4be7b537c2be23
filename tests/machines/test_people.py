"""What a person has is opened by their devices alone, and nothing of it is left when they are erased."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, cast

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule

from characters.exchange.plain import PlainSheet
from characters.models import Character
from characters.services import exchange
from companion.accounts import devices
from companion.identity import people, person_links, personal_data
from companion.models import Person, User
from sessions.evening import nights
from sessions.models import Campaign, Role, Seat
from tests.machines.ground import EXAMPLES, Machine, guest, refusal, run
from tests.nights import say
from tests.sessions.test_erasure import found

DEVICE, NIGHT = st.integers(0, 2), st.integers(0, 1)


@dataclass
class Device:
    """A browser: its cookie, and who is signed in."""

    cookie: str = ""
    user: User | None = None

    @property
    def person(self) -> Person | None:
        return people.person_of(self.user or AnonymousUser(), self.cookie)

    def ensure_person(self) -> Person:
        asked = {"META": {"REMOTE_ADDR": "192.0.2.1"}, "headers": {}, "COOKIES": {}}
        request: Any = SimpleNamespace(person=self.person, **asked)
        person = people.ensure_person(request)
        if self.user is None:
            self.cookie = people.token(person)
        return person


@dataclass
class Belongings:
    """A person's present rows: numbers of sheets and of seats."""

    sheets: set[int] = field(default_factory=set)
    seats: set[int] = field(default_factory=set)


class People(Machine):
    """Three devices, as many accounts as they make, and two evenings of a GM."""

    def prepare(self) -> None:
        campaign = Campaign.objects.create(gm=guest("GM"), name="無限の蛇")
        self.nights = [nights.open_session(campaign=campaign, title=title) for title in ("一", "二")]
        self.devices = [Device() for _ in range(3)]
        self.things: dict[Person, Belongings] = {}
        #: What was written: on a sheet, and from a seat.
        self.on_sheets: dict[int, str] = {}
        self.from_seats: dict[int, list[str]] = {}
        self.count = 0

    def word(self, kind: str) -> str:
        self.count += 1
        return f"{kind}‥{self.count:04}"  # none stands within another

    def of(self, person: Person) -> Belongings:
        return self.things.setdefault(person, Belongings())

    def night_of(self, seat_pk: int) -> int:
        return Seat.objects.values_list("session", flat=True).get(pk=seat_pk)

    # --- what people do

    @rule(at=DEVICE)
    def make_a_sheet(self, at: int) -> None:
        person, name = self.devices[at].ensure_person(), self.word("人物")
        sheet = exchange.import_character(owner=person, sheet=PlainSheet(name, suits="h"))
        self.of(person).sheets.add(sheet.pk)
        self.on_sheets[sheet.pk] = name

    @rule(at=DEVICE, night=NIGHT, talks=st.booleans())
    def sit_down(self, at: int, night: int, talks: bool) -> None:
        person, name, line = self.devices[at].ensure_person(), self.word("名"), self.word("発言")
        fields: dict[str, Any] = {"session": self.nights[night], "name": name, "role": Role.PLAYER}
        if refusal(nights.take_seat, person=person, **fields):
            return
        seat = Seat.objects.get(session=self.nights[night], person=person)
        if seat.pk not in self.from_seats:
            self.of(person).seats.add(seat.pk)
            self.from_seats[seat.pk] = [name]
        if talks:
            say(seat, line)
            self.from_seats[seat.pk].append(line)

    @rule(at=DEVICE, to=DEVICE, is_here=st.booleans(), allow=st.booleans())
    def go_to_another_device(self, at: int, to: int, is_here: bool, allow: bool) -> None:
        person = self.devices[at].person
        if person is None or person.user_id:
            return
        token, receiver = person_links.issue(person), self.devices[to].ensure_person()
        if not is_here:
            cache.clear()
        stays = any(thing.stays for thing in personal_data.list_belongings(person, receiver))
        said = refusal(person_links.ask, token=token, asker=receiver)
        assert said == ("own" if at == to else "closed" if receiver.user_id else "stays" if stays else "")
        if said:
            return
        if is_here:
            assert self.devices[at].person == person, "nothing moves before the old device has answered"
            person_links.answer(person, allow=allow)
        if allow or not is_here:
            self.moved(person, receiver)
            assert not personal_data.list_belongings(person), "the old device has nobody's things"
            assert refusal(person_links.ask, token=token, asker=receiver) == "closed"

    def moved(self, person: Person, receiver: Person) -> None:
        """Note what is handed over: a seat stays where the receiver has another one already."""
        mine, theirs = self.of(person), self.of(receiver)
        gone = theirs.seats - set(Seat.objects.filter(person=receiver).values_list("pk", flat=True))
        assert all(not self.from_seats[pk][1:] for pk in gone), "a seat on which something was done stays"
        theirs.seats -= gone
        there = {self.night_of(pk) for pk in theirs.seats}
        going = {pk for pk in mine.seats if self.night_of(pk) not in there}
        theirs.sheets, mine.sheets = theirs.sheets | mine.sheets, set()
        theirs.seats, mine.seats = theirs.seats | going, mine.seats - going

    @rule(at=DEVICE)
    def make_an_account(self, at: int) -> None:
        device = self.devices[at]
        if device.user is None:
            user = User.objects.create_user(self.word("account"))
            here = people.person_by_token(device.cookie)
            person = people.give_account(here, user)
            assert here in (None, person)
            device.user = user

    @rule(at=DEVICE, to=DEVICE)
    def sign_in_as_on(self, at: int, to: int) -> None:
        if self.devices[to].user:
            self.devices[at].user = self.devices[to].user

    @rule(at=DEVICE)
    def sign_out(self, at: int) -> None:
        self.devices[at].user = None

    @rule(at=DEVICE)
    def take_into_the_account(self, at: int) -> None:
        device = self.devices[at]
        here, account = people.person_by_token(device.cookie), device.person
        if device.user and account:
            devices.take_belongings(
                cast(Any, SimpleNamespace(COOKIES={people.COOKIE: device.cookie})), account
            )
            if here:
                self.moved(here, account)

    @rule(at=DEVICE)
    def erase(self, at: int) -> None:
        device = self.devices[at]
        person = device.person
        if person is None:
            return
        gone = self.things.pop(person, Belongings())
        words = [self.on_sheets[pk] for pk in gone.sheets]
        words += [word for pk in gone.seats for word in self.from_seats[pk]]
        user = person.user
        words += [user.get_username()] if user else []
        signed_in = [other for other in self.devices if user and other.user == user]
        personal_data.erase(person, {})
        for other in signed_in:
            other.user = None
        assert device.person != person
        assert not Character.objects.filter(owner=person).exists()
        # A guest whose seat went into an account keeps the name it was taken under.
        assert not [place for place in found(*words) if not place.startswith("companion_person:")]

    # --- what holds after every step

    @invariant()
    def everybody_has_what_is_theirs(self) -> None:
        for person, mine in self.things.items():
            assert set(Character.objects.filter(owner=person).values_list("pk", flat=True)) == mine.sheets
            assert set(Seat.objects.filter(person=person).values_list("pk", flat=True)) == mine.seats

    @invariant()
    def a_cookie_opens_no_account(self) -> None:
        for device in self.devices:
            here = people.person_by_token(device.cookie)
            assert here is None or here.user is None
            if device.user:
                assert device.person == Person.objects.get(user=device.user)


@EXAMPLES
@pytest.mark.django_db
def test_a_persons_things_are_theirs_alone(examples: int) -> None:
    run(People, 2 * examples)
