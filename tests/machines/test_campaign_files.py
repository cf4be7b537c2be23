"""A campaign goes into a file and comes out of it as the same, also when people were erased meanwhile."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule

from characters.exchange.plain import PlainSheet
from characters.services import exchange
from companion.identity import personal_data
from companion.models import Person
from sessions.archive import campaign_export, campaign_import
from sessions.archive import campaign_file as form
from sessions.evening import handouts, nights
from sessions.models import Campaign, Handout, Seat, Session, Table
from sessions.table import opening, replay
from tests.evening import sit
from tests.machines.ground import EXAMPLES, Machine, guest, run
from tests.nights import declare, say, take_back

PLAYER = st.integers(0, 2)
ON_AND_OFF = st.lists(st.tuples(PLAYER, st.sampled_from(["talk", "declare", "undo"])), min_size=1, max_size=6)


class Files(Machine):
    """Nights of a campaign that are played, thinned of people, taken along and brought elsewhere."""

    def prepare(self) -> None:
        self.campaign = Campaign.objects.create(gm=guest("GM"), name="無限の蛇")
        self.players = [guest(name) for name in ("一郎", "二郎", "三郎")]
        self.words: dict[Person, list[str]] = {player: [player.name] for player in self.players}
        self.erased: list[str] = []
        self.count = 0

    def word(self, player: Person) -> str:
        self.count += 1
        self.words[player].append(f"{player.pk}番の言葉{self.count}。")
        return self.words[player][-1]

    @precondition(lambda self: len(self.words) > 1)
    @rule(acts=ON_AND_OFF, secret=st.booleans())
    def play_a_night(self, acts: list[tuple[int, str]], secret: bool) -> None:
        night = nights.open_session(campaign=self.campaign, title=f"第{self.count}夜")
        seats = [self.seated(night, player) for player in self.words]
        table = opening.open_table(session=night, module_key="uroboros", players=seats)
        for number, act in acts:
            place = number % len(seats)
            key, player = f"p{place + 1}", seats[place].person
            if act == "talk":
                say(seats[place], self.word(player))
            else:
                declare(table, key, self.word(player))
                if act == "undo":
                    take_back(table, key)
        if secret:
            handout = Handout(title="HO", text="皆へ", secret="裏切り者")
            handouts.write_handout(handout=handout, session=night, seats=seats[:1], now=True)
        nights.close_session(session=Session.objects.get(pk=night.pk))

    def seated(self, night: Session, player: Person) -> Seat:
        seat = sit(night, player)
        if not player.characters.exists():
            exchange.import_character(
                owner=player, sheet=PlainSheet(self.word(player), hp=4, hp_max=4, suits="h")
            )
        nights.bring_character(seat=seat, character=player.characters.get())
        nights.set_approved(seat=seat, approved=True)
        return Seat.objects.get(pk=seat.pk)

    @precondition(lambda self: len(self.words) > 2)
    @rule(number=PLAYER)
    def erase(self, number: int) -> None:
        player = list(self.words)[number % len(self.words)]
        self.erased += self.words.pop(player)
        personal_data.erase(player, {})

    @rule()
    def take_along_and_bring(self) -> None:
        out = campaign_export.export_campaign(self.campaign)
        packed = form.encode_campaign(out)
        assert not [word for word in self.erased if word in said(out)]
        copy = campaign_import.import_campaign(form.read(packed), gm=guest("別のGM"))
        assert form.read(form.encode_campaign(campaign_export.export_campaign(copy))) == form.read(packed)
        for table in Table.objects.filter(session__campaign=copy):
            assert replay.check_log(table).holds
        # What came from a file belongs to others, and goes with its campaign.
        owners = list(Person.objects.filter(seats__session__campaign=copy).distinct())
        assert not {*owners} & {*self.players, self.campaign.gm}
        copy.delete()
        Person.objects.filter(pk__in=[owner.pk for owner in owners]).delete()

    @invariant()
    def the_words_of_those_who_are_here_are_in_it_and_no_others(self) -> None:
        file = said(campaign_export.export_campaign(self.campaign))
        assert not [word for word in self.erased if word in file]
        written = [word for words in self.words.values() for word in words[1:]]
        assert [word for word in written if word in file] == written


def said(file: form.CampaignFile) -> str:
    return msgspec.json.encode([file.whole, list(file.tables.values())]).decode()


@EXAMPLES
@pytest.mark.django_db
@pytest.mark.usefixtures("reference_rows")
def test_a_campaign_comes_out_of_its_file_as_it_went_in(examples: int) -> None:
    run(Files, 2 * examples, steps=8)
