"""Of trials a person has one, a campaign has one, and nothing else learns of them."""

from __future__ import annotations

from datetime import timedelta
from random import Random

import pytest
from django.db.models import F
from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule

from characters.models import Character, LedgerEntry
from companion.models import User
from sessions.card_table import trials
from sessions.engine.registry import registry
from sessions.engine.step import encode
from sessions.evening import free_sessions, nights
from sessions.models import Campaign, Message, Move, Seat, Session, Table, Trial
from tests.evening import play, sit
from tests.machines.ground import EXAMPLES, Machine, guest, run

PERSON = st.integers(0, 1)


class Trials(Machine):
    """Two newcomers, and a GM whose campaign has an evening."""

    def prepare(self) -> None:
        self.newcomers = [guest("あゆみ"), guest("ボー")]
        self.campaign = Campaign.objects.create(gm=guest("GM"), name="無限の蛇")
        self.evening = nights.open_session(campaign=self.campaign, title="第一夜")
        sit(self.evening, self.newcomers[0])
        #: The trials by who has them: the number of a newcomer, or "GM".
        self.trials: dict[int | str, Table] = {}
        self.old: set[int | str] = set()

    @rule(number=PERSON, who=st.sampled_from(["akari", "nagi", "tetsu"]))
    def practise(self, number: int, who: str) -> None:
        self.swept()
        self.trials[number] = trials.begin_practice(self.newcomers[number], who)

    @rule()
    def rehearse(self) -> None:
        self.swept()
        self.trials["GM"] = trials.begin_rehearsal(self.campaign)

    def swept(self) -> None:
        """A new trial deletes the old ones."""
        for whose in self.old:
            del self.trials[whose]
        self.old.clear()

    @precondition(lambda self: self.trials)
    @rule(chance=st.randoms(use_true_random=False))
    def play_on(self, chance: Random) -> None:
        whose, table = chance.choice(sorted(self.trials.items(), key=str))
        table.refresh_from_db()
        module = registry()[table.module]
        state = module.load(bytes(table.snapshot))
        own = [sits.key for sits in table.sitters if sits.seat_id]
        moves = [(key, move) for key in own for move in module.legal_moves(state, key)]
        if moves and table.ended_at is None:
            key, move = chance.choice(moves)
            play(table, key, encode(move))
            self.old.discard(whose)

    @precondition(lambda self: self.trials)
    @rule(chance=st.randoms(use_true_random=False))
    def end(self, chance: Random) -> None:
        whose = chance.choice(sorted(self.trials, key=str))
        self.trials.pop(whose).session.delete()
        self.old.discard(whose)

    @rule()
    def a_month_goes_by(self) -> None:
        month = free_sessions.UNUSED + timedelta(days=1)
        Session.objects.update(opened_at=F("opened_at") - month)
        Table.objects.update(opened_at=F("opened_at") - month)
        Move.objects.update(played_at=F("played_at") - month)
        self.old = set(self.trials)

    @rule()
    def sweep(self) -> None:
        assert free_sessions.delete_unused_sessions() == len(self.old)
        self.swept()

    @rule(number=PERSON)
    def take_an_account(self, number: int) -> None:
        person = self.newcomers[number]
        if person.user is None:
            person.user = User.objects.create_user(f"user{number}")
            person.save()

    @invariant()
    def each_has_the_one_begun_last(self) -> None:
        there = Session.objects.exclude(trial="")
        assert set(there) == {table.session for table in self.trials.values()}
        for number, person in enumerate(self.newcomers):
            mine = there.filter(host=person, trial=Trial.PRACTICE)
            assert list(mine) == [self.trials[one].session for one in {number} & self.trials.keys()]
        rehearsal = trials.rehearsal_going_on(self.campaign)
        assert rehearsal == self.trials.get("GM")

    @invariant()
    def nothing_else_learns_of_them(self) -> None:
        assert list(Session.objects.filter(trial="")) == [self.evening]
        assert Seat.objects.filter(session=self.evening).count() == 2
        others = Character, LedgerEntry, Message
        assert not any(model._default_manager.exists() for model in others)
        assert list(self.campaign.evenings) == [self.evening]


@EXAMPLES
@pytest.mark.django_db
def test_a_trial_leaves_nothing_behind(examples: int) -> None:
    run(Trials, examples)
