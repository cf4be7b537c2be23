"""A handout's secret is read by its readers alone, after any changes of it and of them."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule

from companion.files.pictures import EncodedPicture as NewPicture
from companion.models import Picture
from sessions.evening import handouts, nights
from sessions.live.pages import LobbyPage
from sessions.models import Campaign, Handout, HandoutCopy, Seat, Session
from tests.evening import sit
from tests.machines.ground import EXAMPLES, Machine, guest, refusal, run

A_HANDOUT, PLAYER, PLAYERS = st.integers(0, 9), st.integers(0, 2), st.sets(st.integers(0, 2))
NIGHT = st.integers(0, 1)


class Handouts(Machine):
    """Two nights of a campaign with three players, one of whom comes on the first night only."""

    def prepare(self) -> None:
        campaign = Campaign.objects.create(gm=guest("GM"), name="無限の蛇")
        self.people = [guest(name) for name in ("あゆみ", "ボー", "ケイ")]
        self.nights = [nights.open_session(campaign=campaign, title=title) for title in ("一", "二")]
        self.seats: dict[tuple[int, int], Seat] = {}
        for night, player in ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1)):
            self.seats[night, player] = sit(self.nights[night], self.people[player])
        #: The secrets by handout; who was given a copy, and to whose seat one is laid aside.
        self.secrets: dict[int, str] = {}
        self.given: dict[int, set[int]] = {}
        self.aside: set[tuple[int, Seat]] = set()
        self.revealed: set[int] = set()

    def handout(self, number: int) -> Handout:
        return Handout.objects.get(pk=list(self.secrets)[number % len(self.secrets)])

    def read(self, night: int) -> Session:
        """Return the session as a page reads it: a page keeps for its rendering what it has read of one."""
        return Session.objects.select_related("campaign").get(pk=self.nights[night].pk)

    def at(self, night: int, players: set[int]) -> list[Seat]:
        return [self.seats[night, player] for player in sorted(players) if (night, player) in self.seats]

    def player(self, seat: Seat) -> int:
        return self.people.index(seat.person)

    @rule(
        night=NIGHT,
        players=PLAYERS,
        now=st.booleans(),
        text=st.sampled_from(["", "皆が読む"]),
        pictured=st.booleans(),
    )
    def write(self, night: int, players: set[int], now: bool, text: str, pictured: bool) -> None:
        secret = f"秘密・{len(self.given)}番"
        handout = Handout(title="HO", text=text, secret=secret)
        seats, picture = self.at(night, players), NewPicture(b"webp", 1, 1) if pictured else None
        handouts.write_handout(
            handout=handout, session=self.nights[night], seats=seats, now=now, picture=picture
        )
        self.secrets[handout.pk], self.given[handout.pk] = secret, set()
        if now:
            self.given[handout.pk] |= {self.player(seat) for seat in seats}
        else:
            self.aside |= {(handout.pk, seat) for seat in seats}

    @precondition(lambda self: self.secrets)
    @rule(number=A_HANDOUT, night=NIGHT, player=PLAYER, lay=st.booleans())
    def lay_out(self, number: int, night: int, player: int, lay: bool) -> None:
        handout = self.handout(number)
        for seat in self.at(night, {player}):
            had = HandoutCopy.objects.filter(handout=handout, seat=seat).exists()
            said = refusal(handouts.prepare_copy, handout=handout, seat=seat, lay=lay)
            laid = (handout.pk, seat) in self.aside
            assert said == ("" if lay or laid else "handed_over")
            if lay and not had:
                self.aside.add((handout.pk, seat))
            elif not lay:
                self.aside.discard((handout.pk, seat))

    @rule(night=NIGHT)
    def hand_over(self, night: int) -> None:
        handouts.hand_over_copies(session=self.nights[night])
        for pk, seat in [one for one in self.aside if one[1].session_id == self.nights[night].pk]:
            self.aside.remove((pk, seat))
            self.given[pk].add(self.player(seat))

    @precondition(lambda self: self.secrets)
    @rule(number=A_HANDOUT, night=NIGHT, players=PLAYERS)
    def give(self, number: int, night: int, players: set[int]) -> None:
        handout, seats = self.handout(number), self.at(night, players)
        handouts.give_handout(handout=handout, session=self.nights[night], seats=seats)
        self.aside -= {(handout.pk, seat) for seat in seats}
        self.given[handout.pk] |= {self.player(seat) for seat in seats}

    @precondition(lambda self: self.secrets)
    @rule(number=A_HANDOUT, revealed=st.booleans())
    def reveal(self, number: int, revealed: bool) -> None:
        handout = self.handout(number)
        handouts.set_revealed(session=self.nights[0], handout=handout, revealed=revealed)
        (self.revealed.add if revealed else self.revealed.discard)(handout.pk)

    @precondition(lambda self: self.secrets)
    @rule(number=A_HANDOUT)
    def withdraw(self, number: int) -> None:
        handout = self.handout(number)
        pk = handout.pk
        handout.delete()
        del self.secrets[pk]
        self.aside = {one for one in self.aside if one[0] != pk}

    @rule(night=NIGHT, player=PLAYER)
    def put_away(self, night: int, player: int) -> None:
        for seat in self.at(night, {player}):
            if waiting := handouts.notice_context(self.read(night), seat)["notice"]:
                handouts.dismiss_notice(seat=seat, notice_pk=waiting.pk)

    @rule(night=NIGHT, player=PLAYER, away=st.booleans())
    def take_the_seat_away(self, night: int, player: int, away: bool) -> None:
        for seat in self.at(night, {player}):
            (nights.remove_seat if away else nights.restore_seat)(seat=seat)

    def may_read(self, player: int) -> set[int]:
        given = {pk for pk in self.secrets if player in self.given[pk]}
        return given | (self.revealed & self.secrets.keys())

    @invariant()
    def secrets_are_read_by_their_readers(self) -> None:
        for (night, player), seat in self.seats.items():
            found = handouts.handouts_context(self.read(night), seat)["handouts"]
            assert {handout.pk for handout, opened, _ in found if opened} == self.may_read(player)
            assert all(opened or handout.text for handout, opened, _ in found), "a secret alone is not named"

    @invariant()
    def pictures_are_given_to_readers_and_go_with_their_handout(self) -> None:
        pictured = Handout.objects.exclude(picture=None).select_related("picture")
        assert Picture.objects.count() == len(pictured)
        for handout in pictured:
            assert handout.picture
            for player, person in enumerate(self.people):
                sits = any(seat.removed_at is None for (_, who), seat in self.seats.items() if who == player)
                opens = handouts.picture_for(person, handout.pk, handout.picture.key) is not None
                assert opens == (sits and handout.pk in self.may_read(player))

    @rule(night=NIGHT, player=PLAYER)
    def look(self, night: int, player: int) -> None:
        for seat in self.at(night, {player}):
            read = handouts.notice_context(self.read(night), seat).get("read", ())
            assert {handout.pk for handout, mine, _ in read if mine} <= self.may_read(player)
            assert all(handout.text for handout, mine, _ in read if not mine)
            if seat.removed_at is None:
                page = LobbyPage(seat.person, seat.session_id, "http://takujo.test").render_all()
                html = " ".join(page.regions.values())
                readable = {self.secrets[pk] for pk in self.may_read(player)}
                assert {secret for secret in self.secrets.values() if secret in html} == readable


@EXAMPLES
@pytest.mark.django_db
def test_a_secret_is_read_by_its_readers_alone(examples: int) -> None:
    run(Handouts, examples)
