"""House rules of a campaign: the ladder, what experience costs, and what the ranks of NPCs stand for."""

from __future__ import annotations

import json
from typing import Any, Literal

import pytest
from django.http import HttpResponse
from django.utils import translation

from characters import reference
from characters.models import Character
from characters.rules import DEFAULT_RATES, ExperienceRates
from sessions.card_table import house_rules
from sessions.engine.registry import registry
from sessions.engine.step import decode_move
from sessions.evening import nights, refusals
from sessions.models import Campaign, Seat, Session
from sessions.table import opening, seat_view
from tests.conftest import Somebody

pytestmark = pytest.mark.django_db

Part = Literal["powers", "lines"]
GENTLE = [{"flip": False, "link": "any", "near": 0} for _ in range(6)]


@pytest.fixture
def campaign(session: Session) -> Campaign:
    return session.campaign


def ladder_fields(rows: list[dict[str, Any]]) -> dict[str, Any]:
    fields: dict[str, Any] = {"part": "ladder"}
    for place, row in enumerate(rows):
        fields |= {f"ladder-{place}-link": row["link"], f"ladder-{place}-near": row["near"]}
        fields |= {f"ladder-{place}-flip": "on"} if row["flip"] else {}
    return fields


def experience_fields(**stats: object) -> dict[str, Any]:
    values = vars(DEFAULT_RATES) | stats
    return {"part": "experience", **{f"experience-0-{name}": value for name, value in values.items()}}


def npc_fields(**changes: object) -> dict[str, Any]:
    fields: dict[str, Any] = {"part": "npcs"}
    for rank in house_rules.npc_ranks(None):
        for name in ("hp", "skills", "suits", "weapon", "armour"):
            fields[f"npcs-{rank.rank - 1}-{name}"] = getattr(rank.stats, name)
    return fields | {name.replace("_", "-"): value for name, value in changes.items()}


def send(gm: Somebody, campaign: Campaign, fields: dict[str, Any]) -> HttpResponse:
    answer = gm.client.post(f"/gm/campaigns/{campaign.pk}/house-rules/", fields)
    campaign.refresh_from_db()
    return answer


def test_a_campaign_without_house_rules_has_the_default_values(campaign: Campaign) -> None:
    assert house_rules.experience_rates(campaign) == house_rules.experience_rates(None) == DEFAULT_RATES
    ranks = house_rules.npc_ranks(campaign)
    assert [rank.stats.hp for rank in ranks] == [1, 2, 3, 4, 5, 6]
    assert ranks[0].name == "雑魚"
    assert house_rules.changed_parts(campaign) == []


def test_npc_ranks_in_the_database_are_those_of_the_card_table() -> None:
    """A rank's defaults stand in two places: rows for the GM, constants for the table."""
    from sessions.modules.uroboros.gm import RANKS

    for rank in house_rules.npc_ranks(None):
        own = RANKS[rank.rank]
        stats = rank.stats
        assert (stats.hp, stats.skills, stats.suits) == (rank.rank, own.skills, own.suits)
        assert (stats.weapon, stats.armour) == (own.gear, own.gear)


def test_a_saved_ladder_applies_to_the_next_table_only(
    gm: Somebody, campaign: Campaign, session: Session, seats: list[Seat]
) -> None:
    before = opening.open_table(session=session, module_key="uroboros", players=seats)
    assert send(gm, campaign, ladder_fields(GENTLE)).status_code == 302
    assert campaign.ladder == GENTLE
    after = opening.open_table(session=session, module_key="uroboros", players=seats)
    view: Any = seat_view.seat_view(after, None).view
    assert [rung.link for rung in view.ladder] == ["any"] * 6
    before.refresh_from_db()
    old: Any = seat_view.seat_view(before, None).view
    assert old.ladder[5].link == "near"


def test_every_ladder_row_that_the_form_accepts_is_valid_for_a_table(
    gm: Somebody, campaign: Campaign
) -> None:
    for link in ("any", "colour", "suit", "near"):
        for near in (0, 12):
            rows = [{"flip": True, "link": link, "near": near}] * 6
            assert send(gm, campaign, ladder_fields(rows)).status_code == 302
            options: Any = house_rules.read_options({"ladder": campaign.ladder}, registry()["uroboros"])
            assert (options.ladder[0].link, options.ladder[0].near) == (link, near)


def test_default_values_of_house_rules_are_not_stored(gm: Somebody, campaign: Campaign) -> None:
    send(gm, campaign, ladder_fields(GENTLE))
    send(gm, campaign, ladder_fields(house_rules.ladder(None)))
    assert campaign.ladder is None
    send(gm, campaign, experience_fields(skill_cost=4))
    send(gm, campaign, experience_fields())
    send(gm, campaign, npc_fields())
    assert house_rules.changed_parts(campaign) == []
    assert campaign.house_values == {}


def test_a_reset_restores_the_defaults_even_if_the_form_is_invalid(gm: Somebody, campaign: Campaign) -> None:
    send(gm, campaign, ladder_fields(GENTLE))
    send(gm, campaign, experience_fields(skill_cost=4))
    send(gm, campaign, npc_fields(npcs_0_hp=9))
    assert house_rules.changed_parts(campaign) == ["ladder", "experience", "npcs"]
    assert (
        send(gm, campaign, {"part": "experience", "reset": "1", "experience-0-skill_cost": "?"}).status_code
        == 302
    )
    assert house_rules.changed_parts(campaign) == ["ladder", "npcs"]
    send(gm, campaign, {"part": "npcs", "reset": "1"})
    send(gm, campaign, {"part": "ladder", "reset": "1"})
    assert house_rules.changed_parts(campaign) == []


def test_a_campaign_has_its_own_rates_of_experience(gm: Somebody, campaign: Campaign) -> None:
    changed = {"points_a_line": 3, "hp_max_cost": 4, "skill_cost": 2, "suit_cost": 10, "suits_at_most": 2}
    assert send(gm, campaign, experience_fields(**changed)).status_code == 302
    assert house_rules.experience_rates(campaign) == ExperienceRates(**changed)


def test_a_campaign_has_its_own_npc_ranks(gm: Somebody, campaign: Campaign) -> None:
    assert send(gm, campaign, npc_fields(npcs_0_hp=3, npcs_5_weapon=8)).status_code == 302
    ranks = house_rules.npc_ranks(campaign)
    assert [rank.rank for rank in ranks if rank.has_own_stats] == [1, 6]
    assert (ranks[0].stats.hp, ranks[5].stats.weapon, ranks[5].stats.armour) == (3, 8, 2)


def test_an_npc_with_the_largest_house_rule_values_is_valid_at_a_table(
    gm: Somebody, campaign: Campaign
) -> None:
    most = {"hp": 99, "skills": 20, "suits": 3, "weapon": 8, "armour": 8}
    changes = {f"npcs_0_{name}": value for name, value in most.items()}
    assert send(gm, campaign, npc_fields(**changes)).status_code == 302
    move = {"type": "add_npc", "name": "大鬼", "rank": 1, "hp_max": 99, "suits": ["s", "h", "d"], "weapon": 8}
    move |= {"armour": 8, "skills": [f"特技{n}" for n in range(20)]}
    decode_move(registry()["uroboros"], json.dumps(move).encode())


@pytest.mark.parametrize(
    "change",
    [
        {"ladder-0-near": "13"},
        {"ladder-0-near": "-1"},
        {"ladder-0-near": "９"},
        {"ladder-0-near": "9" * 5000},
        {"ladder-0-near": ""},
        {"ladder-0-near": "\x00"},
        {"ladder-5-link": "sometimes"},
        {"ladder-5-link": "\x00"},
        {"ladder-5-link": ""},
    ],
)
def test_an_invalid_ladder_is_refused_and_not_saved(
    gm: Somebody, campaign: Campaign, change: dict[str, str]
) -> None:
    fields = ladder_fields(GENTLE) | change
    answer = send(gm, campaign, fields)
    if change == {"ladder-0-near": "９"}:  # digits as a Japanese keyboard writes them
        assert campaign.ladder[0]["near"] == 9
        return
    assert answer.status_code == 422
    assert 'class="errorlist' in answer.content.decode()
    assert campaign.ladder is None


@pytest.mark.parametrize(
    "fields",
    [
        experience_fields(points_a_line=100),
        experience_fields(points_a_line=-1),
        experience_fields(suits_at_most=4),
        experience_fields(hp_max_cost=0),
        experience_fields(skill_cost="1e9"),
        {"part": "npcs"},
        {"part": "experience"},
    ],
)
def test_invalid_house_rule_values_are_refused_and_not_saved(
    gm: Somebody, campaign: Campaign, fields: dict[str, Any]
) -> None:
    assert send(gm, campaign, fields).status_code == 422
    assert campaign.house_values == {}


@pytest.mark.parametrize(
    "change", [{"npcs_0_hp": 0}, {"npcs_0_hp": 100}, {"npcs_2_suits": 4}, {"npcs_5_armour": 9}]
)
def test_npc_values_that_a_table_refuses_are_not_saved(
    gm: Somebody, campaign: Campaign, change: dict[str, int]
) -> None:
    assert send(gm, campaign, npc_fields(**change)).status_code == 422
    assert campaign.house_values == {}


def test_the_functions_that_save_house_rules_refuse_invalid_values(campaign: Campaign) -> None:
    with pytest.raises(refusals.Refused, match="bad_options"):
        house_rules.set_ladder(campaign=campaign, rows=GENTLE[:5])
    with pytest.raises(refusals.Refused, match="bad_options"):
        house_rules.set_experience(campaign=campaign, rates={"points_a_line": 1})
    with pytest.raises(refusals.Refused, match="bad_options"):
        house_rules.set_npcs(campaign=campaign, stats={7: {}})


def words_fields(part: str, **changes: str) -> dict[str, str]:
    texts = {f"{part}-{place}-words": row.text for place, row in enumerate(words_rows(part))}
    own = {name.replace("_", "-") + "-words": text for name, text in changes.items()}
    assert own.keys() <= texts.keys()
    return {"part": part} | texts | own


def words_rows(part: str) -> list[Any]:
    return [*(reference.item_powers() if part == "powers" else reference.experience_lines())]


@pytest.mark.parametrize("part", ["powers", "lines"])
def test_only_changed_words_of_the_house_rules_are_stored(
    gm: Somebody, campaign: Campaign, part: str
) -> None:
    first = words_rows(part)[0].key
    assert send(gm, campaign, words_fields(part, **{f"{part}_0": " 宇宙服 "})).status_code == 302
    assert campaign.house_values == {part: {first: "宇宙服"}}
    assert house_rules.changed_parts(campaign) == [part]
    assert "宇宙服" in gm.client.get(f"/gm/campaigns/{campaign.pk}/house-rules/").content.decode()
    with translation.override("en"):
        fields = words_fields(part, **{f"{part}_0": ""})
    assert send(gm, campaign, fields).status_code == 302, "English words of the rules are the rules' own, too"
    assert campaign.house_values == {}


@pytest.mark.parametrize("part", ["powers", "lines"])
def test_words_that_are_too_long_or_have_control_characters_are_refused(
    gm: Somebody, campaign: Campaign, part: Part
) -> None:
    for bad in ("x" * 201, "a\x00b"):
        assert send(gm, campaign, words_fields(part, **{f"{part}_0": bad})).status_code == 422
    texts = ["x" * 201] * len(words_rows(part))
    with pytest.raises(refusals.Refused, match="bad_options"):
        house_rules.set_words(campaign=campaign, part=part, texts=texts)
    assert campaign.house_values == {}


def test_a_reset_of_words_keeps_the_other_house_rules(gm: Somebody, campaign: Campaign) -> None:
    send(gm, campaign, npc_fields(npcs_0_hp=9))
    send(gm, campaign, words_fields("powers", powers_0="宇宙服"))
    send(gm, campaign, words_fields("lines", lines_1="星を見つけた"))
    assert house_rules.changed_parts(campaign) == ["npcs", "powers", "lines"]
    send(gm, campaign, {"part": "powers", "reset": "1"})
    assert house_rules.changed_parts(campaign) == ["npcs", "lines"]


def test_the_rulebook_of_a_campaign_has_its_words_and_the_general_one_has_not(
    gm: Somebody, campaign: Campaign, ayumi: Somebody, seats: list[Seat], session: Session
) -> None:
    send(gm, campaign, words_fields("powers", powers_0="宇宙服"))
    send(gm, campaign, words_fields("lines", lines_1="星を見つけた"))
    table = opening.open_table(session=session, module_key="uroboros", players=seats)
    for address in (f"/rules/uroboros/?campaign={campaign.pk}", f"/t/{table.pk}/rules/"):
        html = gm.client.get(address).content.decode()
        assert ("宇宙服" in html, "星を見つけた" in html) == (True, True), address
    html = ayumi.client.get("/rules/uroboros/").content.decode()
    assert ("宇宙服" in html, "星を見つけた" in html) == (False, False)


def test_a_sheet_and_a_checklist_have_the_words_of_their_campaign(
    gm: Somebody, campaign: Campaign, ayumi: Somebody, seats: list[Seat], session: Session
) -> None:
    send(gm, campaign, words_fields("powers", powers_0="宇宙服"))
    send(gm, campaign, words_fields("lines", lines_1="星を見つけた"))
    mine = Character.objects.create(owner=ayumi.person, name="朔", hp_max=3, hp=3, suits="h", status="done")
    assert "宇宙服" not in ayumi.client.get(f"/characters/{mine.pk}/edit/").content.decode()
    Seat.objects.filter(pk=seats[0].pk).update(character=mine)
    assert "宇宙服" in ayumi.client.get(f"/characters/{mine.pk}/edit/").content.decode()
    nights.close_session(session=session)
    assert ayumi.client.post(f"/s/{session.pk}/experience/led/1/").status_code in (200, 302)
    for address in (session.get_absolute_url(), mine.get_absolute_url()):
        assert "星を見つけた" in ayumi.client.get(address).content.decode(), address
    assert "星を見つけた" in gm.client.get(session.get_absolute_url()).content.decode()


def test_an_unknown_part_of_the_house_rules_is_refused(gm: Somebody, campaign: Campaign) -> None:
    assert send(gm, campaign, {"part": "jokers"}).status_code == 422
    assert send(gm, campaign, {}).status_code == 422


def test_two_parts_of_the_house_rules_saved_at_once_are_both_kept(campaign: Campaign) -> None:
    """The second to save has read the campaign before the first saved."""
    stale = Campaign.objects.get(pk=campaign.pk)
    house_rules.set_experience(campaign=campaign, rates=vars(DEFAULT_RATES) | {"skill_cost": 9})
    ranks = {
        rank.rank: {"hp": 7, "skills": 0, "suits": 0, "weapon": 0, "armour": 0}
        for rank in house_rules.npc_ranks(None)
    }
    house_rules.set_npcs(campaign=stale, stats=ranks)
    campaign.refresh_from_db()
    assert house_rules.changed_parts(campaign) == ["experience", "npcs"]


def test_invalid_stored_house_rules_fall_back_to_the_defaults(campaign: Campaign) -> None:
    for junk in ([], "x", {"experience": 3}, {"npcs": {"9": {}}}, {"more": 1}, None):
        campaign.house_values = junk
        assert house_rules.experience_rates(campaign) == DEFAULT_RATES
        assert house_rules.npc_ranks(campaign) == house_rules.npc_ranks(None)


def test_only_the_gm_reads_and_changes_house_rules(
    campaign: Campaign, gm: Somebody, ayumi: Somebody, bo: Somebody
) -> None:
    address = f"/gm/campaigns/{campaign.pk}/house-rules/"
    assert gm.client.get(address).status_code == 200
    assert ayumi.client.get(address).status_code == 404
    assert ayumi.client.post(address, ladder_fields(GENTLE)).status_code == 404
    assert bo.client.get(address).status_code == 302  # to sign in
    campaign.refresh_from_db()
    assert campaign.ladder is None


def test_the_house_rules_page_describes_each_ladder_row_in_words(gm: Somebody, campaign: Campaign) -> None:
    send(gm, campaign, ladder_fields([*GENTLE[:5], {"flip": True, "link": "suit", "near": 7}]))
    html = gm.client.get(
        f"/gm/campaigns/{campaign.pk}/house-rules/", headers={"Accept-Language": "en"}
    ).content.decode()
    assert "A card is turned first. same suit, or 7 apart at most" in " ".join(html.split())
