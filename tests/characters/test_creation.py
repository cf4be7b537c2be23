"""Making a character, as a phone does it."""

from __future__ import annotations

import pytest
from django.urls import reverse

from characters import rules
from characters.models import Character, Creation, Draw
from characters.rules import SheetRefused
from characters.services import drafts
from tests.characters.conftest import ALL_RED, ONE_JOKER, SIX, TWELVE, Phone
from tests.rules import rule

pytestmark = pytest.mark.django_db
TOOL = {"item0-kind": "tool", "item0-name": "祖父の羅針盤"}


def make(phone: Phone, until: str = "") -> None:
    """Answer the questions of a standard character up to this one."""
    answers = {
        "create-cards": {},
        "create-suit": {"suits": "h"},
        "create-skills": {"skill_0": "剣術", "skill_1": "料理"},
        "create-special": TOOL,
        "create-items": {},
        "create-about": {"name": "朔", "concept": "流れの料理人"},
        "create-review": {},
    }
    phone.post("draw")
    for name, data in answers.items():
        if name == until:
            return
        assert phone.post(name, data).status_code == 302, name


@rule("UC-1.1", "UC-1.2", "UC-1.3", "UC-1.4", "UC-1.5", "UC-1.6")
def test_a_guest_makes_a_standard_character(phone):
    phone.start(cards=SIX)
    make(phone)
    made = phone.character
    assert (made.status, made.name, made.hp_max, made.hp, made.suits, made.ca) == ("done", "朔", 4, 4, "h", 8)
    assert [skill.name for skill in made.skills.all()] == ["剣術", "料理"]
    assert [(item.name, item.value, item.special) for item in made.items.all()] == [("祖父の羅針盤", 1, True)]


def test_a_new_device_becomes_a_person_and_keeps_its_character(client, draws, db):
    phone = Phone(client, draws)
    phone.start(name="朔")
    assert client.cookies["takujo"].value
    assert "朔" in client.get(reverse("characters:shelf")).content.decode()


def test_every_step_of_creation_shows_the_cards_and_its_rule(phone):
    phone.start(cards=SIX)
    phone.post("draw")
    for name, rule_id in [
        ("create-cards", "UC-1.3"),
        ("create-suit", "UC-1.1"),
        ("create-skills", "UC-1.3"),
        ("create-special", "UC-1.4"),
        ("create-items", "UC-1.5"),
        ("create-review", "UC-1.6"),
    ]:
        make(phone, until=name)
        page = phone.get(name).content.decode()
        assert page.count('class="card-index"') == 6, name
        assert rule_id in page, name


@rule("UC-1.2")
def test_six_cards_of_one_colour_can_only_be_drawn_again(phone, draws):
    draws.extend([ALL_RED, SIX])
    phone.start()
    phone.post("draw")
    page = phone.get("create-cards").content.decode()
    assert reverse("characters:redraw", args=[phone.pk]) in page
    assert "red_jokers" not in page
    assert phone.post("create-cards").status_code == 422
    assert phone.creation.step == "cards"
    phone.post("redraw", {"seen": 0})
    assert phone.creation.cards == SIX


@rule("UC-1.3")
def test_redraws_of_a_creation_are_counted_and_every_draw_is_stored(phone, draws):
    draws.extend([SIX, ONE_JOKER])
    phone.start()
    phone.post("draw")
    phone.post("redraw", {"seen": 0})
    assert phone.creation.redraws == 1
    assert [draw.cards for draw in phone.creation.draws.all()] == [SIX, ONE_JOKER]


def test_a_refresh_and_a_second_tap_draw_no_new_cards(phone):
    phone.start()
    phone.post("draw")
    drawn = phone.creation.cards
    phone.post("draw")
    phone.get("create-cards")
    assert phone.creation.cards == drawn
    assert phone.get("redraw").status_code == 405
    phone.post("redraw", {"seen": 0})
    again = phone.creation.cards
    phone.post("redraw", {"seen": 0})
    assert (phone.creation.cards, phone.creation.redraws) == (again, 1)


@pytest.mark.parametrize("seen", ["", "-1", "x", "99999999999999", "٣", "7"])
def test_a_redraw_with_an_invalid_draw_number_draws_nothing(phone, seen):
    phone.start()
    phone.post("draw")
    assert phone.post("redraw", {"seen": seen}).status_code == 302
    assert phone.creation.redraws == 0


def test_draws_of_a_creation_can_be_verified_with_its_secret(phone):
    phone.start()
    phone.post("draw")
    phone.post("redraw", {"seen": 0})
    for draw in Draw.objects.filter(creation=phone.pk):
        assert draw.cards == rules.draw(phone.creation.secret, draw.number, "standard")


def test_the_secret_of_a_creation_is_shown_once_it_is_finished(phone):
    phone.start(cards=SIX)
    make(phone, until="create-review")
    secret = phone.creation.secret
    assert secret not in phone.get("create-review").content.decode()
    phone.post("create-review")
    assert secret in phone.get("sheet").content.decode()


@rule("UC-1.2")
@pytest.mark.parametrize(("red", "hp", "skills"), [("1", 4, 2), ("0", 3, 3)])
def test_a_joker_counts_as_the_colour_that_the_player_chooses(phone, red, hp, skills):
    phone.start(cards=ONE_JOKER)
    phone.post("draw")
    assert phone.post("create-cards").status_code == 422
    phone.post("create-cards", {"red_jokers": red})
    assert phone.character.hp_max == hp
    assert phone.post("create-suit", {"suits": "c"}).status_code == 302
    assert phone.get("create-skills").content.decode().count('name="skill_') == skills


@pytest.mark.parametrize("red", ["2", "-1", "x", "1" * 40])
def test_a_player_cannot_colour_more_jokers_than_were_drawn(phone, red):
    phone.start(cards=ONE_JOKER)
    phone.post("draw")
    assert phone.post("create-cards", {"red_jokers": red}).status_code == 422
    assert phone.creation.step == "cards"


def test_a_draft_opens_at_its_first_unanswered_step(phone):
    phone.start(cards=SIX)
    make(phone, until="create-special")
    assert phone.get("creation").url == reverse("characters:create-special", args=[phone.pk])
    assert phone.get("sheet").url == reverse("characters:creation", args=[phone.pk])
    assert phone.get("create-review").url == reverse("characters:create-special", args=[phone.pk])


def test_changing_an_earlier_answer_returns_to_the_open_step(phone):
    phone.start(cards=SIX)
    make(phone, until="create-review")
    answer = phone.post("create-suit", {"suits": "c"})
    assert answer.url == reverse("characters:create-review", args=[phone.pk])
    assert phone.character.suits == "c"


@rule("UC-1.3")
def test_a_late_redraw_asks_the_steps_again_that_no_longer_fit(phone, draws):
    draws.extend([SIX, ONE_JOKER])
    phone.start()
    make(phone, until="create-review")
    phone.post("redraw", {"seen": 0})
    assert phone.post("create-review").url == reverse("characters:create-cards", args=[phone.pk])
    answer = phone.post("create-cards", {"red_jokers": "0"})
    assert answer.status_code == 302
    assert phone.get("creation").url.endswith("/suit/")
    assert phone.character.status == "draft"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("create-suit", {"suits": "x"}),
        ("create-suit", {"suits": ["h", "d"]}),
        ("create-suit", {}),
        ("create-skills", {"skill_0": "剣術"}),
        ("create-skills", {"skill_0": "剣術", "skill_1": "あ" * 41}),
        ("create-skills", {"skill_0": "  ", "skill_1": "料理"}),
        ("create-special", {"item0-kind": "tool"}),
        ("create-special", {"item0-kind": "weapon", "item0-name": "剣", "item0-weapon_value": "5"}),
        ("create-special", {"item0-kind": "weapon", "item0-name": "剣"}),
        ("create-special", {"item0-kind": "crown", "item0-name": "冠"}),
        ("create-about", {"name": ""}),
        ("create-about", {"name": "あ" * 41}),
        ("create-about", {"name": "朔", "background": "あ" * 4001}),
        ("create-about", {"name": "a\x00b"}),
    ],
)
def test_a_tampered_answer_of_a_creation_step_is_refused(phone, name, data):
    phone.start(cards=SIX)
    make(phone, until=name)
    before = everything(phone.pk)
    assert phone.post(name, data).status_code == 422
    assert everything(phone.pk) == before


def everything(pk):
    character = (
        Character.objects.filter(pk=pk).values("name", "concept", "background", "suits", "hp_max", "hp").get()
    )
    creation = Creation.objects.filter(pk=pk).values().get()
    sheet = Character.objects.get(pk=pk)
    return (
        character,
        creation,
        [str(skill) for skill in sheet.skills.all()],
        [str(item) for item in sheet.items.all()],
    )


@rule("UC-1.4")
def test_a_special_tool_has_value_one_whatever_the_form_says(phone):
    phone.start(cards=SIX)
    make(phone, until="create-special")
    phone.post("create-special", {**TOOL, "item0-tool_value": "4", "item0-quality": "4"})
    assert [item.value for item in phone.character.items.all()] == [1]


@rule("UC-1.4")
def test_a_special_weapon_is_one_better_than_its_table(phone):
    phone.start(cards=SIX)
    make(phone, until="create-special")
    phone.post("create-special", {"item0-kind": "weapon", "item0-name": "脇差", "item0-weapon_value": "2"})
    (item,) = phone.character.items.all()
    assert (item.value, item.why) == (3, "性能表 2 + 特別 1")


@rule("UC-1.5")
def test_further_items_of_a_draft_are_added_and_removed(phone):
    phone.start(cards=SIX)
    make(phone, until="create-items")
    phone.post("add-item", {"kind": "tool", "name": "縄", "tool_value": "0"})
    phone.post("add-item", {"kind": "armour", "name": "革鎧", "armour_value": "1", "quality": "1"})
    assert phone.post("add-item", {"kind": "armour", "name": "鎧"}).status_code == 422
    assert [item.value for item in phone.character.further_items] == [0, 2]
    rope, special = phone.character.further_items[0], phone.character.special_items[0]
    phone.client.post(reverse("characters:remove-item", args=[phone.pk, rope.pk]))
    phone.client.post(reverse("characters:remove-item", args=[phone.pk, special.pk]))
    assert [item.name for item in phone.character.items.all()] == ["祖父の羅針盤", "革鎧"]


@pytest.fixture
def twelve(phone):
    """A phone that has kept twelve cards, and spends them next."""
    phone.start("twelve", TWELVE)
    phone.post("draw")
    phone.post("create-cards")
    return phone


@rule("UC-2.1", "UC-2.2", "UC-2.3")
def test_a_guest_makes_a_twelve_card_character(twelve):
    for change in ["hp+", "hp+", "hp-", "hp+", "skills+", "suits+", "specials+", "specials+"]:
        twelve.post("create-spend", {"change": change})
    twelve.post("create-spend")
    twelve.post("create-suit", {"suits": "d"})
    twelve.post("create-skills", {"skill_0": "射撃", "skill_1": "はったり"})
    weapon = {"item1-kind": "shield", "item1-name": "鍋のふた", "item1-armour_value": "0"}
    twelve.post("create-special", {**TOOL, **weapon})
    twelve.post("add-item", {"kind": "tool", "name": "縄", "tool_value": "0"})
    twelve.post("create-items")
    twelve.post("create-about", {"name": "灯"})
    assert twelve.post("create-review").url == reverse("characters:sheet", args=[twelve.pk])
    made = twelve.character
    assert (made.status, made.hp_max, made.suits, made.ca) == ("done", 3, "d", 3 + 2 + 1 + 2)


@rule("UC-2.1")
def test_twelve_good_cards_cannot_be_drawn_again(phone):
    phone.start("twelve", TWELVE)
    phone.post("draw")
    assert "redraw" not in phone.get("create-cards").content.decode()
    answer = phone.client.post(reverse("characters:redraw", args=[phone.pk]), {"seen": 0}, follow=True)
    assert "UC-2.1" in answer.content.decode()
    assert phone.creation.redraws == 0


@rule("UC-2.1")
def test_twelve_number_cards_must_be_drawn_again(phone):
    phone.start("twelve", [f"{suit}{number:02}" for suit in "shd" for number in (1, 2, 3, 10)])
    phone.post("draw")
    assert phone.post("create-cards").status_code == 422
    phone.post("redraw", {"seen": 0})
    assert phone.creation.redraws == 1


@rule("UC-2.2")
@pytest.mark.parametrize("change", ["", "hp", "hp-", "ca+", "hp+1", "changed+", "suits*"])
def test_a_tampered_purchase_with_cards_changes_nothing(twelve, change):
    before = everything(twelve.pk)
    twelve.post("create-spend", {"change": change})
    assert everything(twelve.pk) == before


@rule("UC-2.2")
def test_a_player_cannot_spend_more_cards_than_were_drawn(twelve):
    for _ in range(4):
        answer = twelve.post("create-spend", {"change": "hp+"}, **{"HX-Request": "true"})
    assert twelve.creation.spent_hp == 3
    assert "UC-2.2" in answer.content.decode()
    assert "<html" not in answer.content.decode()


@rule("UC-2.2")
def test_steps_of_creation_without_a_choice_are_skipped(twelve):
    assert twelve.post("create-spend").url == reverse("characters:create-skills", args=[twelve.pk])
    assert twelve.post("create-suit", {"suits": "h"}).url == reverse(
        "characters:create-skills", args=[twelve.pk]
    )
    assert twelve.post("create-skills", {"skill_0": "射撃"}).url.endswith("/items/")


@rule("UC-2.2")
def test_purchases_that_are_given_back_leave_the_sheet(twelve):
    for change in ["skills+", "suits+", "specials+"]:
        twelve.post("create-spend", {"change": change})
    twelve.post("create-spend")
    twelve.post("create-suit", {"suits": "d"})
    twelve.post("create-skills", {"skill_0": "射撃", "skill_1": "はったり"})
    twelve.post("create-special", TOOL)
    for change in ["skills-", "suits-", "specials-"]:
        twelve.post("create-spend", {"change": change})
    assert (twelve.character.suits, twelve.character.items.count()) == ("", 0)
    assert [skill.name for skill in twelve.character.skills.all()] == ["射撃"]
    assert twelve.get("creation").url.endswith("/items/")


@pytest.mark.parametrize("elsewhere", ["/account/delete/", "/s/12/end/", "/j/", "/nowhere/", "/characters/"])
def test_a_finished_character_is_posted_to_a_session_page_only(phone, elsewhere):
    phone.start(cards=SIX, next=elsewhere)
    make(phone, until="create-review")
    answer = phone.post("create-review")
    assert (answer.status_code, answer.url) == (302, f"{elsewhere}?character={phone.pk}")


def test_a_finished_character_is_posted_to_the_session_it_came_from(phone):
    phone.start(cards=SIX, next="/s/12/?bring=1&character=5")
    make(phone, until="create-review")
    lobby = f"/s/12/?bring=1&character={phone.pk}"
    for _ in range(2):
        answer = phone.post("create-review")
        assert (answer.status_code, answer.url) == (307, lobby), (
            "posted to the evening, for a link changes nothing"
        )
    assert phone.get("create-review").url == reverse("characters:sheet", args=[phone.pk])


@pytest.mark.parametrize(
    "elsewhere",
    [
        "https://evil.example/",
        "//evil.example/",
        "/\\evil.example",
        "javascript:alert(1)",
        "s/12/",
        "/" + "a" * 600,
    ],
)
def test_creation_never_returns_to_another_site(phone, elsewhere):
    phone.start(next=elsewhere)
    assert phone.creation.return_to == ""


def test_an_unknown_method_of_creation_is_refused(phone):
    answer = phone.client.post(reverse("characters:start"), {"method": "dice"})
    assert answer.status_code == 422
    assert not Character.objects.exists()


def test_steps_of_creation_are_refused_for_a_finished_character(sheet):
    for verb in (drafts.draw, drafts.keep, drafts.finish):
        with pytest.raises(SheetRefused, match="already_done"):
            verb(character=sheet)


def test_an_unfinished_draft_cannot_be_finished(phone):
    phone.start(cards=SIX)
    make(phone, until="create-skills")
    with pytest.raises(SheetRefused, match="unfinished"):
        drafts.finish(character=phone.character)
