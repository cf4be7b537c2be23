"""A hand is played by who holds its seat or stands in for it; a seat that was taken away opens nothing."""

from __future__ import annotations

import json
import uuid

import pytest
from django.http import Http404
from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule

from companion.models import Person
from companion.names import name_key
from sessions import access
from sessions.board_games import games
from sessions.evening import devices, nights, stand_ins
from sessions.game import IllegalMove
from sessions.live.page_base import NOTHING_HERE
from sessions.live.pages import TablePage
from sessions.models import Campaign, Role, Seat, SeatClaim, Session, Table
from sessions.table import moves
from tests.machines.ground import EXAMPLES, Machine, guest, refusal, run

SOMEBODY, KEY = st.integers(0, 2), st.sampled_from(["p1", "p2"])
#: Of four people the last one has no seat at first.
ANYBODY = st.integers(0, 3)
NAME = st.sampled_from(["あゆみ", "ボー", "ｱﾕﾐ", ""])


class Seats(Machine):
    """Two who play a board game, a deputy who plays for one of them and for the GM, and a latecomer."""

    def prepare(self) -> None:
        self.people = [guest(name) for name in ("一", "二", "三", "四")]
        self.gm = guest("GM")
        campaign = Campaign.objects.create(gm=self.gm, name="無限の蛇")
        self.night = nights.open_session(campaign=campaign, title="第一夜")
        self.gm_seat = self.night.seats.get()
        #: Who holds each seat; who stands in for it; which were taken away, and which are deputies'.
        self.holder: dict[Seat, Person] = {self.gm_seat: self.gm}
        self.stands_in: dict[Seat, Seat] = {}
        self.removed: set[Seat] = set()
        self.deputies: set[Seat] = set()
        seats = [self.seated(person, person.name) for person in self.people[:3]][:2]
        choices = games.GameChoices(options={"rounds": 5})
        self.table: Table = games.open_game(key="tally", opener=seats[0], players=seats, choices=choices)
        self.hands = dict(zip(("p1", "p2"), seats, strict=True))
        self.at_bots: set[str] = set()
        # Much follows from these, and they seldom meet by chance.
        self.let_stand_in(number=0, by=2)
        self.appoint(number=2, then=True)

    def seated(self, person: Person, name: str) -> Seat:
        seat = nights.take_seat(session=self.night, person=person, name=name, role=Role.PLAYER)
        self.holder[seat] = person
        return seat

    def seat_of(self, person: Person) -> Seat | None:
        return next((seat for seat, holder in self.holder.items() if holder == person), None)

    def seat(self, number: int) -> Seat | None:
        """Return a player's seat as the database has it; a view has read it just now, too."""
        found = self.seat_of(self.people[number])
        return found and Seat.objects.select_related("session__campaign").get(pk=found.pk)

    @property
    def is_over(self) -> bool:
        return Session.objects.get(pk=self.night.pk).ended_at is not None

    # --- coming, going, and coming back

    @rule(number=ANYBODY, name=NAME)
    def join(self, number: int, name: str) -> None:
        person, known = self.people[number], self.seat_of(self.people[number])
        names = {seat.name_key for seat in Seat.objects.filter(session=self.night, removed_at=None)}
        fields = {"session": self.night, "person": person, "name": name, "role": Role.PLAYER}
        said = refusal(nights.take_seat, **fields)
        if known:
            assert said == ("removed" if known in self.removed else "")
        else:
            assert said == ("name_missing" if not name else "name_taken" if name_key(name) in names else "")
            if not said:
                self.holder[Seat.objects.get(session=self.night, person=person)] = person

    @rule(number=SOMEBODY)
    def take_away(self, number: int) -> None:
        if seat := self.seat(number):
            nights.remove_seat(seat=seat)
            self.removed.add(seat)
            self.stands_in.pop(seat, None)

    @rule(number=SOMEBODY)
    def give_back(self, number: int) -> None:
        if seat := self.seat(number):
            others = Seat.objects.filter(session=self.night, removed_at=None).exclude(pk=seat.pk)
            taken = others.filter(name_key=seat.name_key).exists()
            assert refusal(nights.restore_seat, seat=seat) == ("name_taken" if taken else "")
            if not taken:
                self.removed.discard(seat)
                self.stands_in.pop(seat, None)

    @rule(number=SOMEBODY, to=ANYBODY, by_claim=st.booleans())
    def take_to_another_device(self, number: int, to: int, by_claim: bool) -> None:
        seat, person = self.seat(number), self.people[to]
        if seat is None:
            return
        own = self.seat_of(person)
        if by_claim:
            if refusal(devices.claim_seat, seat=seat, person=person):
                assert seat in self.removed
                return
            asked = SeatClaim.objects.get(seat=seat, person=person)
            said = refusal(devices.answer_claim, claim=asked, allow=True, by=self.gm_seat)
        else:
            token = devices.issue(seat=seat)
            said = refusal(devices.redeem_link, token=token, person=person)
            closed = seat in self.removed or self.is_over
            assert (said == "link_closed") == closed
            assert closed or refusal(devices.redeem_link, token=token, person=person) == (
                said or "link_closed"
            )
        if not said and own != seat:
            if own:
                del self.holder[own]
                self.deputies.discard(own)
                self.stands_in = {one: by for one, by in self.stands_in.items() if own not in (one, by)}
            self.holder[seat] = person

    # --- who plays for whom

    @rule(number=SOMEBODY, by=SOMEBODY)
    def let_stand_in(self, number: int, by: int) -> None:
        seat, other = self.seat(number), self.seat(by)
        if seat and other:
            said = refusal(stand_ins.let_stand_in, seat=seat, stand_in=other)
            assert said == ("cannot_stand_in" if seat == other or other in self.removed else "")
            if not said:
                self.stands_in[seat] = other

    @rule(number=SOMEBODY, then=st.booleans())
    def appoint(self, number: int, then: bool) -> None:
        if seat := self.seat(number):
            stand_ins.set_deputy(seat=seat, deputy=True)
            self.deputies.add(seat)
            if then:
                self.take_over(number)

    @precondition(lambda self: self.deputies)
    @rule(number=SOMEBODY)
    def dismiss(self, number: int) -> None:
        if seat := self.seat(number):
            stand_ins.set_deputy(seat=seat, deputy=False)
            self.deputies.discard(seat)
            if self.stands_in.get(self.gm_seat) == seat:
                del self.stands_in[self.gm_seat]

    @rule(number=SOMEBODY)
    def take_over(self, number: int) -> None:
        if seat := self.seat(number):
            said = refusal(stand_ins.take_charge, deputy=seat)
            assert said == ("" if seat in self.deputies - self.removed else "no_deputy")
            if not said:
                self.stands_in[self.gm_seat] = seat

    @rule(number=SOMEBODY)
    def come_back(self, number: int) -> None:
        if seat := self.seat(number):
            stand_ins.return_to_seat(seat=seat)
            self.stands_in.pop(seat, None)

    @rule()
    def the_gm_comes_back(self) -> None:
        stand_ins.return_to_seat(seat=Seat.objects.get(pk=self.gm_seat.pk))
        self.stands_in.pop(self.gm_seat, None)

    @rule(key=KEY, to_bot=st.booleans())
    def hand_to_bot_or_back(self, key: str, to_bot: bool) -> None:
        verb = games.hand_to_bot if to_bot else games.take_from_bot
        said = refusal(verb, table=self.table, key=key)
        fits = (key in self.at_bots) != to_bot
        over = Table.objects.get(pk=self.table.pk).ended_at is not None
        assert said == ("table_over" if over else "" if fits else "no_such_seat")
        if not said:
            (self.at_bots.add if to_bot else self.at_bots.discard)(key)

    @precondition(lambda self: not self.is_over)
    @rule(late=st.integers(0, 9))
    def end_the_night(self, late: int) -> None:
        if not late:  # seldom, or most evenings would be over before anything happens
            nights.close_session(session=Session.objects.get(pk=self.night.pk))

    # --- what holds after every step

    def page(self, person: Person, acting: Seat | None = None) -> str | None:
        """Return the key of the hand that a page of this person plays; "-" for none, None if it is gone."""
        page = TablePage(person, self.table.pk, "http://takujo.test", acting.pk if acting else 0)
        try:
            return page.read_watch().screen.seat or "-"
        except NOTHING_HERE:
            return None

    @invariant()
    def a_seat_has_one_holder_and_one_hand(self) -> None:
        rows = Seat.objects.filter(session=self.night).select_related("person")
        assert {seat: seat.person for seat in rows} == self.holder
        key_of = {seat: key for key, seat in self.hands.items()}
        for person in self.people:
            seat = self.seat_of(person)
            there = seat is not None and seat not in self.removed
            assert self.page(person) == (key_of.get(seat, "-") if seat and there else None)

    @invariant()
    def only_a_stand_in_plays_for_another(self) -> None:
        for seat in self.hands.values():
            for person in self.people:
                own = self.seat_of(person)
                plays = own is not None and own not in self.removed and self.stands_in.get(seat) == own
                assert (self.page(person, acting=seat) is not None) == plays

    @invariant()
    def what_was_taken_away_opens_nothing(self) -> None:
        for person in self.people:
            seat = self.seat_of(person)
            if seat is None or seat in self.removed:
                for way in (access.own_seat, access.gm_seat, access.keeper_seat, access.game_opener_seat):
                    with pytest.raises(Http404):
                        way(person, self.night.pk)
                assert not access.running_seats(person).exists()

    @invariant()
    def the_session_is_run_by_its_gm_and_the_deputy_who_took_over(self) -> None:
        for person in (self.gm, *self.people):
            seat = self.seat_of(person)
            deputy = seat in self.deputies - self.removed and self.stands_in.get(self.gm_seat) == seat
            try:
                runs = access.gm_seat(person, self.night.pk) is not None
            except Http404:
                runs = False
            assert runs == (person == self.gm or deputy)

    @rule(key=KEY, number=SOMEBODY)
    def lay(self, key: str, number: int) -> None:
        """Play as the page of a person does, with its present permission."""
        person, seat = self.people[number], self.hands[key]
        own = self.seat_of(person)
        acting = None if own == seat else seat
        table = Table.objects.get(pk=self.table.pk)
        state = json.loads(bytes(table.snapshot))
        if not state["hands"][key] or self.page(person, acting) != key:
            return
        watch = TablePage(person, table.pk, "", acting.pk if acting else 0).read_watch()
        fields = {"seat": key, "seating": watch.seating, "stand_in": watch.stand_in, "asked": ""}
        raw = json.dumps({"type": "lay", "number": state["hands"][key][0]}).encode()
        mine = state["seats"][state["turn"]] == key and key not in self.at_bots
        refused = ""
        try:
            moves.submit(
                table.pk, moves.MoveRequest(client_id=uuid.uuid4(), raw=raw, version=table.version, **fields)
            )
        except IllegalMove as problem:
            refused = problem.code
        assert bool(refused) == (self.is_over or not mine)
        if not refused:
            by = own.name if acting and own else ""
            assert table.moves.get(number=table.version + 1).stand_in == by


@EXAMPLES
@pytest.mark.django_db
@pytest.mark.usefixtures("tally")
def test_a_hand_is_played_by_who_may(examples: int) -> None:
    run(Seats, examples, steps=20)
