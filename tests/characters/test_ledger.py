"""Points of experience: earned once, spent at the campaign's prices, taken back like any edit."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from characters.models import Character, ExperienceLine, LedgerEntry
from characters.rules import ExperienceRates, SheetRefused
from characters.services import experience, sheets
from characters.services.experience import Offer
from tests.rules import rule
from tests.sessions.test_races import at_once

pytestmark = pytest.mark.django_db

HP, SKILL, SUIT = Offer("hp", 5, 25), Offer("skill", 3, 9), Offer("suit", 2, 40)
CHEAP = ExperienceRates(points_a_line=5, hp_max_cost=1, skill_cost=2, suit_cost=3, suits_at_most=2)


def play(sheet, night=1, lines=9, *, campaign="無限の蛇", rates=None):
    checklist = experience.open_session_checklist(
        character=sheet,
        session_key=f"session:{night}",
        title=f"第{night}夜",
        campaign=campaign,
        rates=rates or ExperienceRates(),
    )
    for line in ExperienceLine.objects.all()[:lines]:
        experience.tick_experience(checklist=checklist, key=line.key)
    experience.confirm_experience(checklist=checklist)
    return checklist


@pytest.fixture
def rich(reference_rows, sheet):
    """Ayumi's character after three full nights: 54 points."""
    for night in (1, 2, 3):
        play(sheet, night)
    return sheet


def buy(who, sheet, offer, bought=""):
    data = {"kind": offer.kind, "reached": offer.reached, "cost": offer.cost, "bought": bought}
    return who.client.post(reverse("characters:buy", args=[sheet.pk]), data, follow=True).content.decode()


def take_back(who, sheet, entry):
    address = reverse("characters:take-back", args=[sheet.pk, entry.pk])
    return who.client.post(address, follow=True).content.decode()


def refusal(verb, **arguments):
    with pytest.raises(SheetRefused) as refused:
        verb(**arguments)
    return refused.value.code


def now(sheet):
    return Character.objects.get(pk=sheet.pk)


@rule("UC-11.1", "UC-11.2")
def test_a_confirmed_checklist_earns_its_points_once(sheet):
    checklist = play(sheet, lines=4)
    assert experience.balance(sheet) == 8
    entry = sheet.ledger.get()
    assert (entry.kind, entry.title, entry.campaign) == ("earned", "第1夜", "無限の蛇")
    assert refusal(experience.confirm_experience, checklist=checklist) == "checklist_confirmed"
    assert experience.balance(sheet) == 8


@rule("UC-11.2")
def test_points_buy_one_more_hp(ayumi, rich):
    page = buy(ayumi, rich, HP)
    assert now(rich).hp_max == 5
    assert experience.balance(rich) == 29
    assert "HP上限 4 → 5" in page
    assert "−25" in page
    entry = rich.ledger.first()
    assert (entry.points, entry.reached, entry.made_by, entry.campaign) == (-25, 5, ayumi.person, "無限の蛇")
    assert entry.rates["hp_max_cost"] == 5
    assert [r.why for r in rich.revisions.all()] == ["spent", "begun"], "one revision for one purchase"


@rule("UC-11.2")
def test_a_skill_and_a_suit_bought_with_points_are_taken_back(ayumi, rich):
    buy(ayumi, rich, SKILL, "追跡")
    buy(ayumi, rich, SUIT, "s")
    assert [skill.name for skill in rich.skills.all()] == ["剣術", "料理", "追跡"]
    assert now(rich).suits == "sh"
    assert experience.balance(rich) == 54 - 9 - 40
    for entry in rich.ledger.filter(kind__in=["skill", "suit"]):
        experience.take_back(character=rich, entry_id=entry.pk)
    assert [skill.name for skill in rich.skills.all()] == ["剣術", "料理"]
    assert (now(rich).suits, experience.balance(rich)) == ("h", 54)


@pytest.mark.parametrize(("lines", "left"), [(9, 8), (5, 0)], ids=["some left", "the very last ones"])
def test_a_guest_spends_experience_points(bo, lines, left):
    guest = Character.objects.create(owner=bo.person, name="サキ", hp_max=1, hp=1, status="done")
    play(guest, lines=lines)
    buy(bo, guest, Offer("hp", 2, 10))
    assert (now(guest).hp_max, experience.balance(guest)) == (2, left)


def test_a_second_tap_does_not_buy_the_next_hp(ayumi, rich):
    buy(ayumi, rich, HP)
    assert "その間に変わりました" in buy(ayumi, rich, HP)
    assert (now(rich).hp_max, experience.balance(rich)) == (5, 29)


def test_too_few_points_buy_nothing(ayumi, sheet):
    play(sheet, lines=4)
    assert "経験点がまだ足りません" in buy(ayumi, sheet, SKILL, "追跡")
    assert (experience.balance(sheet), sheet.skills.count(), sheet.revisions.count()) == (8, 2, 1)


@rule("UC-11.2")
def test_points_buy_nothing_beyond_the_maximum(sheet):
    Character.objects.filter(pk=sheet.pk).update(hp_max=20, suits="shd")
    play(sheet, rates=CHEAP)
    assert [offer.kind for offer in experience.offers(now(sheet))] == ["skill"]
    for offer in (Offer("hp", 21, 21), Offer("suit", 4, 12)):
        assert refusal(experience.buy, character=sheet, offer=offer, bought="c") == "offer_over"


@rule("UC-11.2")
def test_the_campaign_played_last_sets_the_prices(ayumi, sheet):
    assert experience.offers(sheet) == [HP, SKILL, SUIT], "the rules' own, before any night"
    play(sheet, rates=CHEAP, campaign="安い国")
    assert experience.balance(sheet) == 45
    assert experience.offers(sheet) == [Offer("hp", 5, 5), Offer("skill", 3, 6), Offer("suit", 2, 6)]
    assert "「安い国」" in ayumi.client.get(sheet.get_absolute_url()).content.decode()
    play(sheet, 2)
    assert experience.offers(sheet) == [HP, SKILL, SUIT]
    assert experience.balance(sheet) == 45 + 18, "a night keeps the rates it was played by"


@pytest.mark.parametrize(
    ("offer", "bought", "code"),
    [
        (SKILL, " ", "bad_name"),
        (SKILL, "あ" * 41, "bad_name"),
        (SUIT, "h", "no_such_suit"),
        (SUIT, "x", "no_such_suit"),
        (SUIT, "", "wrong_number_of_suits"),
        (SUIT, "sd", "wrong_number_of_suits"),
        (Offer("hp", 5, 1), "", "offer_over"),
        (Offer("hp", 9, 45), "", "offer_over"),
        (Offer("crown", 1, 0), "", "offer_over"),
    ],
)
def test_a_refused_purchase_costs_no_points(rich, offer, bought, code):
    assert refusal(experience.buy, character=rich, offer=offer, bought=bought) == code
    assert (experience.balance(rich), rich.revisions.count()) == (54, 1)


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"kind": "hp"},
        {"kind": "hp", "reached": "x", "cost": "1"},
        {"kind": "hp", "reached": "9" * 300, "cost": "25"},
        {"kind": "skill", "reached": "3", "cost": "9", "bought": "\0"},
        {"kind": "skill", "reached": "3", "cost": "9", "bought": "あ" * 10_000},
    ],
)
def test_an_invalid_purchase_form_buys_nothing_and_shows_a_message(ayumi, rich, data):
    answer = ayumi.client.post(reverse("characters:buy", args=[rich.pk]), data, follow=True)
    assert answer.status_code == 200
    assert list(answer.context["messages"])
    assert experience.balance(rich) == 54


@rule("UC-11.2")
def test_taking_back_a_purchase_returns_its_points_in_a_revision(ayumi, rich):
    buy(ayumi, rich, HP)
    sheets.set_hp(character=rich, hp=5)
    page = take_back(ayumi, rich, rich.ledger.first())
    assert "取り消しました" in page
    assert (now(rich).hp_max, now(rich).hp, experience.balance(rich)) == (4, 4, 54)
    assert [r.why for r in rich.revisions.all()] == ["back", "spent", "begun"]
    assert [entry.points for entry in rich.ledger.all()[:2]] == [25, -25], (
        "nothing is struck out of the ledger"
    )
    assert "取り消してあります" in take_back(ayumi, rich, rich.ledger.get(kind="hp"))
    assert experience.balance(rich) == 54


def test_a_purchase_under_a_later_one_is_not_taken_back_first(rich):
    experience.buy(character=rich, offer=SKILL, bought="追跡")
    experience.buy(character=rich, offer=Offer("skill", 4, 12), bought="水泳")
    later, earlier = rich.ledger.filter(kind="skill")
    assert refusal(experience.take_back, character=rich, entry_id=earlier.pk) == "bought_more_since"
    experience.take_back(character=rich, entry_id=later.pk)
    experience.take_back(character=rich, entry_id=earlier.pk)
    assert experience.balance(rich) == 54


def test_a_purchase_no_longer_on_the_sheet_is_not_taken_back(rich):
    experience.buy(character=rich, offer=SKILL, bought="追跡")
    entry = rich.ledger.first()
    sheets.revise(character=rich, name="朔", hp_max=4, suits="h", skills=["剣術", "料理", "水泳"])
    assert refusal(experience.take_back, character=rich, entry_id=entry.pk) == "changed_since"
    assert experience.balance(rich) == 45
    sheets.restore(character=rich, number=2)
    experience.take_back(character=rich, entry_id=entry.pk)
    assert experience.balance(rich) == 54


@pytest.mark.parametrize("entry_id", [10**30, 999])
def test_only_purchases_of_the_ledger_are_taken_back(rich, entry_id):
    assert refusal(experience.take_back, character=rich, entry_id=entry_id) == "no_such_purchase"
    earned = rich.ledger.first()
    assert refusal(experience.take_back, character=rich, entry_id=earned.pk) == "no_such_purchase"


def test_only_the_owner_spends_points_and_takes_purchases_back(kei, gm, rich):
    experience.buy(character=rich, offer=HP)
    for who in (kei, gm):
        for name, more in (("buy", []), ("take-back", [rich.ledger.first().pk])):
            assert who.client.post(reverse(f"characters:{name}", args=[rich.pk, *more])).status_code == 404


def test_an_owner_confirms_only_checklists_without_a_session(ayumi, sheet):
    away = experience.start_own_checklist(character=sheet, title="よその卓")
    experience.tick_experience(checklist=away, key="led")
    address = reverse("characters:confirm-experience", args=[sheet.pk, away.pk])
    assert experience.balance(sheet) == 0, "it waits"
    ayumi.client.post(address)
    assert experience.balance(sheet) == 2
    ours = experience.open_session_checklist(
        character=sheet, session_key="session:1", title="第一夜", campaign="", rates=ExperienceRates()
    )
    address = reverse("characters:confirm-experience", args=[sheet.pk, ours.pk])
    assert ayumi.client.post(address).status_code == 404


def test_one_session_opens_one_checklist(sheet):
    arguments = {"character": sheet, "session_key": "session:1", "title": "第一夜", "campaign": ""}
    first = experience.open_session_checklist(**arguments, rates=ExperienceRates())
    assert experience.open_session_checklist(**arguments, rates=CHEAP) == first
    assert first.experience_rates == ExperienceRates()
    with pytest.raises(IntegrityError), transaction.atomic():
        sheet.checklists.create(session_key="session:1", title="x")


def test_a_sheet_with_a_ledger_can_still_be_deleted(ayumi, rich):
    experience.buy(character=rich, offer=HP)
    experience.take_back(character=rich, entry_id=rich.ledger.first().pk)
    assert ayumi.client.post(reverse("characters:delete", args=[rich.pk])).status_code == 302
    assert not LedgerEntry.objects.exists()


def refusals(job):
    """Run a job four times at once, and return the codes of the refusals."""
    return [refusal.code for refusal in at_once(*[job] * 4)]


@pytest.mark.django_db(transaction=True)
def test_simultaneous_confirmations_of_a_checklist_count_once(reference_rows, sheet):
    checklist = experience.start_own_checklist(character=sheet, title="第一夜")
    experience.tick_experience(checklist=checklist, key="led")
    assert refusals(lambda: experience.confirm_experience(checklist=checklist)) == ["checklist_confirmed"] * 3
    assert experience.balance(sheet) == 2


@pytest.mark.django_db(transaction=True)
def test_simultaneous_taps_buy_and_pay_once(rich):
    assert refusals(lambda: experience.buy(character=rich, offer=HP)) == ["offer_over"] * 3
    assert (now(rich).hp_max, experience.balance(rich)) == (5, 29)
