"""A sheet's history never changes, and a sheet is opened by those alone to whom its owner opened it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from django.http import Http404
from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule

from characters import access, rules
from characters.exchange.plain import PlainItem, PlainSheet
from characters.models import Character, ExperienceChecklist
from characters.services import exchange, experience, sheets
from characters.services.sheets import snapshot
from companion.models import Person
from companion.requests.quotas import QUOTAS
from sessions.evening import nights
from sessions.models import Campaign
from sessions.table import opening
from tests.evening import sit
from tests.machines.ground import EXAMPLES, Machine, guest, refusal, run

WORDS = st.sampled_from(["朔", "ナギ", "テツ"])
SUITS = st.sampled_from(["h", "sh", "shdc", "zz", ""])
SKILLS = st.lists(st.sampled_from(["剣術", "料理", "潜水"]), max_size=3, unique=True)
PASSWORD = st.sampled_from(["open-sesame", "other-words", "short"])
LINES = st.sampled_from(["took-part", "acted", "no-such-line"])
#: The quota of a sheet's open checklists, which has its own tests.
MOST_LISTS = QUOTAS["characters.ExperienceChecklist"][0].at_most


class Sheets(Machine):
    """A sheet of Ayumi's, whom Bo would like to help; Kei should see nothing of hers."""

    def prepare(self) -> None:
        self.owner, self.helper, self.stranger = (guest(name) for name in ("あゆみ", "ボー", "ケイ"))
        sword = PlainItem("weapon", "脇差", 2, 0, special=True)
        sheet = PlainSheet("朔", hp=4, hp_max=4, suits="h", skills=("剣術",), items=(sword,))
        self.sheet = exchange.import_character(owner=self.owner, sheet=sheet)
        campaign = Campaign.objects.create(gm=guest("GM"), name="無限の蛇")
        self.evening = nights.open_session(campaign=campaign, title="第一夜")
        self.seat = sit(self.evening, self.owner)
        #: The sheet at each revision, as it was when that was made.
        self.history = [snapshot(self.sheet)]
        self.password, self.editors = "", set[Person]()
        self.key, self.old_keys = "", set[str]()
        self.points = 0
        self.public = False
        self.lists: list[ExperienceChecklist] = []
        # Much follows from these, and they seldom meet by chance.
        self.add_item(kind="tool", value=2)
        self.set_password(password="open-sesame")
        self.try_password(password="open-sesame")

    def changed(self, said: str) -> None:
        """Note a revision, if anything is different now."""
        now = snapshot(Character.objects.get(pk=self.sheet.pk))
        if now != self.history[-1]:
            assert not said, "what is refused changes nothing"
            self.history.append(now)

    # --- what is on the sheet

    @rule(name=WORDS, hp_max=st.integers(0, 7), suits=SUITS, skills=SKILLS, behind=st.integers(0, 1))
    def revise(self, name: str, hp_max: int, suits: str, skills: list[str], behind: int) -> None:
        fields: dict[str, Any] = {"name": name, "hp_max": hp_max, "suits": suits, "skills": skills}
        number = len(self.history) - behind
        said = refusal(sheets.revise, character=self.sheet, revision=number, **fields)
        assert said == "stale" if behind else said != "stale"
        self.changed(said)

    @rule(kind=st.sampled_from(["tool", "weapon", "armour", "sword"]), value=st.integers(0, 9))
    def add_item(self, kind: str, value: int) -> None:
        wish: sheets.ItemWish = {"kind": kind, "name": "灯り", "table_value": value, "quality": 0}
        self.changed(refusal(sheets.add_item, character=self.sheet, wish=wish))

    @rule(place=st.integers(0, 3))
    def remove_item(self, place: int) -> None:
        items = [*self.sheet.items.values_list("pk", flat=True), 0]
        item = items[place % len(items)]
        self.changed(refusal(sheets.remove_item, character=self.sheet, item_id=item))

    @rule(back=st.integers(-1, 4))
    def restore(self, back: int) -> None:
        number = len(self.history) - back
        same = 0 < number <= len(self.history) and self.history[number - 1] == self.history[-1]
        known = 0 < number <= self.sheet.revisions.count()
        said = refusal(sheets.restore, character=self.sheet, number=number)
        assert said == ("same_as_now" if known and same else "" if known else "no_such_revision")
        self.changed(said)
        if not said:
            assert self.history[-1] == self.history[number - 1]

    @rule(hp=st.integers(-101, 8))
    def hurt(self, hp: int) -> None:
        most = Character.objects.get(pk=self.sheet.pk).hp_max
        said = refusal(sheets.set_hp, character=self.sheet, hp=hp)
        assert said == ("" if rules.HP_LOWEST <= hp <= most else "hp_out_of_range")

    @rule()
    def take_to_a_table(self) -> None:
        sheet = Character.objects.get(pk=self.sheet.pk)
        nights.bring_character(seat=self.seat, character=sheet)
        nights.set_approved(seat=self.seat, approved=True)
        self.seat.refresh_from_db()
        table = opening.open_table(session=self.evening, module_key="uroboros", players=[self.seat])
        assert table.options["characters"]["p1"] == exchange.table_options(sheet)

    # --- who opens it

    @rule(password=PASSWORD)
    def set_password(self, password: str) -> None:
        if refusal(access.set_password, character=self.sheet, password=password):
            assert password == "short"
            return
        self.password, self.editors = password, set()
        self.key = Character.objects.get(pk=self.sheet.pk).share_key

    @rule()
    def end_password(self) -> None:
        access.end_password(character=self.sheet)
        self.password, self.editors = "", set()

    @rule(password=PASSWORD)
    def try_password(self, password: str) -> None:
        sheet = Character.objects.get(pk=self.sheet.pk)
        said = refusal(access.check_edit_password, character=sheet, password=password)
        assert said == ("" if password == self.password else "wrong_password")
        if not said:
            sheet.editors.add(self.helper)
            self.editors.add(self.helper)

    @rule()
    def make_link(self) -> None:
        access.make_link(character=self.sheet)
        key = Character.objects.get(pk=self.sheet.pk).share_key
        assert key == self.key or (not self.key and key not in self.old_keys)
        self.key = key

    @rule()
    def end_link(self) -> None:
        access.end_link(character=self.sheet)
        self.old_keys |= {self.key} - {""}
        self.key, self.password, self.editors = "", "", set()

    @rule(public=st.booleans())
    def show(self, public: bool) -> None:
        access.set_visibility(character=self.sheet, visibility="public" if public else "private")
        self.public = public

    @rule(name=WORDS)
    def copy(self, name: str) -> None:
        copied = exchange.copy_character(character=self.sheet, name=name)
        assert snapshot(copied) == self.history[-1] | {"name": name}
        assert not copied.ledger.exists()
        assert (copied.share_key, copied.edit_password) == ("", "")
        assert copied.visibility == Character.Visibility.PRIVATE
        copied.delete()

    # --- experience

    @precondition(lambda self: len(self.lists) < MOST_LISTS)
    @rule()
    def begin_list(self) -> None:
        self.lists.append(experience.start_own_checklist(character=self.sheet, title="ある夜"))

    @rule(which=st.integers(0, 5), key=LINES, ticks=st.booleans())
    def tick(self, which: int, key: str, ticks: bool) -> None:
        if self.lists:
            checklist = self.lists[which % len(self.lists)]
            before = checklist.lines.filter(key=key).exists()
            said = refusal(experience.tick_experience, checklist=checklist, key=key, ticked=ticks)
            assert checklist.lines.filter(key=key).exists() == (before if said else ticks)

    @rule(which=st.integers(0, 5))
    def confirm(self, which: int) -> None:
        if self.lists:
            checklist = ExperienceChecklist.objects.get(pk=self.lists[which % len(self.lists)].pk)
            points = checklist.points
            said = refusal(experience.confirm_experience, checklist=checklist)
            assert said == ("checklist_confirmed" if checklist.confirmed_at else "")
            self.points += 0 if said else points

    # --- what holds after every step

    @invariant()
    def its_history_is_what_happened(self) -> None:
        kept = list(self.sheet.revisions.order_by("number").values_list("number", "sheet"))
        assert kept == list(enumerate(self.history, start=1))
        sheet = Character.objects.get(pk=self.sheet.pk)
        assert rules.HP_LOWEST <= sheet.hp <= sheet.hp_max

    @invariant()
    def points_are_counted_once(self) -> None:
        assert experience.balance(self.sheet) == self.points

    @invariant()
    def it_is_opened_to_whom_its_owner_chose(self) -> None:
        for person in (self.owner, self.helper, self.stranger):
            own, edits = person == self.owner, person in self.editors
            assert opens(access.get_editable_character, person, self.sheet.pk) == (own or edits)
            assert opens(access.get_own_character, person, self.sheet.pk) == own
            assert opens(access.get_visible_character, person, self.sheet.pk) == (own or edits or self.public)
        keys = {key for key in self.old_keys | {self.key} if shared(key)}
        assert keys == {self.key} - {""}


def opens(way: Any, person: Person, pk: int) -> bool:
    try:
        way(SimpleNamespace(person=person), pk)
    except Http404:
        return False
    return True


def shared(key: str) -> bool:
    try:
        access.get_shared_character(key)
    except Http404:
        return False
    return True


@EXAMPLES
@pytest.mark.django_db
@pytest.mark.usefixtures("reference_rows")
def test_a_sheet_keeps_its_history_and_its_door(examples: int) -> None:
    run(Sheets, examples)
