"""NPCs by the handful and out of the GM's library. The GM's notes about them stay with the GM."""

from __future__ import annotations

import html
import json
from typing import Any

import pytest
from django.http import HttpResponse

from characters.models import NpcRank
from sessions.card_table import house_rules, npcs
from sessions.evening import nights
from sessions.game import IllegalMove
from sessions.live.pages import FacePage, TablePage
from sessions.models import Campaign, LibraryNpc, Table, TableNpc
from sessions.table import seat_view
from tests.conftest import Somebody
from tests.evening import play

pytestmark = pytest.mark.django_db
SECRET = "弱点は火。命を三つ持つ"


def on(table: Table, seat: str | None = "gm") -> list[Any]:
    table.refresh_from_db()
    view: Any = seat_view.seat_view(table, seat).view
    return list(view.npcs)


def names(table: Table) -> list[str]:
    return [npc.name for npc in on(table)]


def spawn(who: Somebody, table: Table, **wish: object) -> HttpResponse:
    return who.client.post(f"/t/{table.pk}/npcs/", wish)


@pytest.fixture
def ogre(gm: Somebody) -> LibraryNpc:
    return LibraryNpc.objects.create(
        owner=gm.person,
        name="鬼",
        rank=3,
        hp_max=12,
        suits="hd",
        skills="怪力\n威圧",
        weapon=4,
        hidden=True,
        notes=SECRET,
    )


def test_an_npcs_ccfolia_text_has_its_ranks_figures_and_no_gm_notes(ogre: LibraryNpc, gm: Somebody) -> None:
    page = gm.client.get(f"/gm/npcs/{ogre.pk}/").content.decode()
    text = html.unescape(page.split('id="ccfolia-text"')[1].split(">", 1)[1].split("</textarea>")[0])
    piece = json.loads(text)["data"]
    assert (piece["name"], piece["status"], piece["secret"]) == (
        "鬼",
        [{"label": "HP", "value": 12, "max": 12}],
        True,
    )
    params = {param["label"]: param["value"] for param in piece["params"]}
    by_rank = next(rank for rank in house_rules.npc_ranks(None) if rank.rank == 3).stats
    assert (params["武器"], params["防具"]) == ("4", str(by_rank.armour))
    assert SECRET not in text
    assert 'id="ccfolia-text"' not in gm.client.get("/gm/npcs/new/").content.decode()


def test_adding_three_npcs_makes_three_moves(table: Table, gm: Somebody) -> None:
    assert spawn(gm, table, rank=1, count=3).json() == {"accepted": 3}
    assert names(table) == ["雑魚A", "雑魚B", "雑魚C"]
    assert table.version == 3
    assert all(json.loads(bytes(move.move))["type"] == "add_npc" for move in table.moves.all())


def test_letters_of_new_npcs_follow_those_already_at_the_table(table: Table, gm: Somebody) -> None:
    spawn(gm, table, rank=1, count=2)
    play(table, "gm", b'{"type": "remove_npc", "npc": "n1"}')
    spawn(gm, table, rank=1, count=2)
    assert names(table) == ["雑魚B", "雑魚C", "雑魚D"]
    spawn(gm, table, rank=2, count=1)
    spawn(gm, table, rank=2, count=1)
    assert names(table)[3:] == ["一般人", "一般人B"]


def test_npc_letters_go_on_with_aa_after_z(table: Table, gm: Somebody) -> None:
    play(table, "gm", json.dumps({"type": "add_npc", "name": "雑魚Z", "rank": 1}).encode())
    spawn(gm, table, rank=1, count=2)
    assert names(table) == ["雑魚Z", "雑魚AA", "雑魚AB"]


def test_an_npc_has_the_campaigns_figures_for_its_rank(table: Table, gm: Somebody) -> None:
    ranks = {
        rank.rank: {"hp": 9, "skills": 2, "suits": 3, "weapon": 5, "armour": 6}
        for rank in house_rules.npc_ranks(None)
    }
    house_rules.set_npcs(campaign=table.session.campaign, stats=ranks)
    spawn(gm, table, rank=1, count=1, hidden="1")
    [npc] = on(table)
    assert (npc.hp, npc.hp_max, len(set(npc.suits)), npc.skills) == (9, 9, 3, ("特技1", "特技2"))
    assert (npc.gear.weapon, npc.gear.armour, npc.gear.hidden) == (5, 6, True)
    [seen] = on(table, "p1")
    assert seen.hp is None


def test_an_npc_without_house_rules_has_the_games_figures_for_its_rank(table: Table, gm: Somebody) -> None:
    for rank in range(1, 7):
        spawn(gm, table, rank=rank, count=1)
        play(table, "gm", json.dumps({"type": "add_npc", "name": "?", "rank": rank}).encode())
    ours, theirs = on(table)[::2], on(table)[1::2]
    for one, other in zip(ours, theirs, strict=True):
        assert (one.hp_max, one.skills, one.gear) == (other.hp_max, other.skills, other.gear)
        assert len(one.suits) == len(other.suits)


def test_a_named_npc_has_the_campaigns_figures_for_its_rank(table: Table, gm: Somebody) -> None:
    stats = {"hp": 9, "skills": 2, "suits": 3, "weapon": 5, "armour": 6}
    ranks = {rank.rank: stats for rank in house_rules.npc_ranks(None)}
    house_rules.set_npcs(campaign=table.session.campaign, stats=ranks)
    special = "飛ぶ\r\n" + "火" * 197
    spawn(gm, table, rank=6, count=1, name=" 竜 ", special=special, hidden="1")
    [npc] = on(table)
    assert (npc.name, npc.rank, npc.hp) == ("竜", 6, 9)
    assert (len(set(npc.suits)), npc.skills) == (3, ("特技1", "特技2"))
    assert (npc.gear.weapon, npc.gear.armour, npc.gear.hidden) == (5, 6, True)
    assert npc.special == "飛ぶ\n" + "火" * 197
    assert on(table, "p1")[0].special is None
    spawn(gm, table, rank=6, count=1, name="竜")
    assert names(table) == ["竜", "竜B"]
    assert spawn(gm, table, rank=6, count=1, name="竜", special="x" * 201).status_code == 409


@pytest.mark.parametrize("wish", [{"count": 1}, {"count": 1, "name": "狼"}], ids=["by rank", "by name"])
def test_an_npc_without_house_rules_has_the_server_owners_rank_figures(
    table: Table, gm: Somebody, wish: dict[str, object]
) -> None:
    NpcRank.objects.filter(rank=1).update(hp=7, suits=2, weapon=3)
    spawn(gm, table, rank=1, **wish)
    [npc] = on(table)
    assert (npc.hp_max, len(set(npc.suits)), npc.gear.weapon) == (7, 2, 3)


def test_npcs_over_the_limit_of_a_table_are_refused_all_together(table: Table, gm: Somebody) -> None:
    spawn(gm, table, rank=1, count=18)
    answer = spawn(gm, table, rank=2, count=3)
    assert (answer.status_code, answer.json()["refused"], answer.json()["rule"]) == (
        409,
        "too_many_npcs",
        "UC-10.4",
    )
    assert answer.json()["reason"] == "NPCは20人までです。"
    assert len(names(table)) == 18
    assert table.version == table.moves.count() == 18


def test_npcs_from_the_library_bring_their_notes_for_the_gm(
    table: Table, gm: Somebody, ogre: LibraryNpc
) -> None:
    assert spawn(gm, table, library=ogre.pk, count=2).status_code == 200
    first, _ = on(table)
    assert (first.name, first.hp_max, first.suits, first.skills) == ("鬼A", 12, ("h", "d"), ("怪力", "威圧"))
    assert (first.gear.weapon, first.gear.armour, first.gear.hidden) == (4, 1, True)
    assert {npc: row["notes"] for npc, row in npcs.notes_of(table).items()} == {
        "n1": ogre.notes,
        "n2": ogre.notes,
    }


def test_npc_notes_are_shown_to_the_gm_only(
    table: Table, gm: Somebody, ayumi: Somebody, bo: Somebody, ogre: LibraryNpc
) -> None:
    spawn(gm, table, library=ogre.pk, count=1)
    assert SECRET in gm.client.get(table.get_absolute_url()).content.decode()
    for who in (ayumi, bo):
        assert SECRET not in who.client.get(table.get_absolute_url()).content.decode()
        assert SECRET not in who.client.get(f"/t/{table.pk}/log/").content.decode()
        page = TablePage(who.person, table.pk, "http://takujo.test").render_all()
        assert SECRET not in "".join(page.regions.values())
    face = FacePage(str(table.session.face_key), "http://takujo.test").render_all()
    assert SECRET not in "".join(face.regions.values())
    assert SECRET.encode() not in bytes(table.snapshot)
    assert not any(SECRET.encode() in bytes(move.move) + bytes(move.events) for move in table.moves.all())


def test_an_npc_with_a_reused_id_does_not_get_the_earlier_npcs_notes(
    table: Table, gm: Somebody, ogre: LibraryNpc
) -> None:
    """Should a table go back and use a number again, the notes stay with the name they belong to."""
    TableNpc.objects.create(table=table, npc="n1", name="鬼", library=ogre)
    spawn(gm, table, rank=1, count=1)
    assert SECRET not in gm.client.get(table.get_absolute_url()).content.decode()


@pytest.mark.parametrize(
    "wish",
    [
        {},
        {"count": 0, "rank": 1},
        {"count": 21, "rank": 1},
        {"count": 1, "rank": 7},
        {"count": 1},
        {"count": "9" * 5000, "rank": 1},
        {"count": 1, "rank": "\x00"},
        {"count": 1, "rank": 1, "name": "x" * 41},
        {"count": 1, "name": "狼"},
        {"count": 1, "rank": 1, "name": "a\x00b"},
        {"count": 1, "library": "9" * 30},
    ],
)
def test_an_invalid_npc_request_adds_no_npc(table: Table, gm: Somebody, wish: dict[str, object]) -> None:
    assert spawn(gm, table, **wish).status_code == 409
    assert names(table) == []


def test_only_the_gm_adds_npcs_to_a_table_and_only_from_their_own_library(
    table: Table, gm: Somebody, ayumi: Somebody, kei: Somebody, ogre: LibraryNpc
) -> None:
    for who in (ayumi, kei):
        assert spawn(who, table, rank=1, count=1).status_code == 404
        assert who.client.get(f"/t/{table.pk}/npcs/").status_code == 404
    LibraryNpc.objects.update(owner=ayumi.person)
    assert spawn(gm, table, library=ogre.pk, count=1).status_code == 404
    assert names(table) == []


def test_no_npc_is_added_after_the_session_has_ended(table: Table, gm: Somebody) -> None:
    nights.close_session(session=table.session)
    assert spawn(gm, table, rank=1, count=1).json()["refused"] == "session_over"


def test_spawn_refuses_an_npc_count_out_of_range(table: Table) -> None:
    for count in (0, 21):
        with pytest.raises(IllegalMove, match="malformed_move"):
            npcs.spawn(table_pk=table.pk, rank=1, count=count, hidden=False)


# The library

FIELDS = {
    "name": "狼",
    "rank": 2,
    "hp_max": 4,
    "weapon": "",
    "armour": "",
    "suits": ["s"],
    "skills": " かみつき \n\n",
    "notes": "群れる",
}


def test_a_gm_creates_edits_copies_and_deletes_a_library_npc(gm: Somebody) -> None:
    assert gm.client.get("/gm/npcs/new/").status_code == 200
    assert gm.client.post("/gm/npcs/new/", FIELDS).status_code == 302
    wolf = LibraryNpc.objects.get()
    assert (wolf.owner, wolf.hp_max, wolf.weapon, wolf.suits, wolf.skill_names) == (
        gm.person,
        4,
        None,
        "s",
        ["かみつき"],
    )
    assert "狼" in gm.client.get("/gm/npcs/").content.decode()
    assert gm.client.post(f"/gm/npcs/{wolf.pk}/", FIELDS | {"name": "大狼"}).status_code == 302
    gm.client.post(f"/gm/npcs/{wolf.pk}/copy/")
    assert list(LibraryNpc.objects.values_list("name", flat=True)) == ["大狼", "大狼"]
    gm.client.post(f"/gm/npcs/{wolf.pk}/delete/")
    assert LibraryNpc.objects.count() == 1


@pytest.mark.parametrize(
    "change",
    [
        {"name": ""},
        {"name": "あ" * 41},
        {"name": "a\x00b"},
        {"rank": 7},
        {"rank": "x"},
        {"hp_max": 100},
        {"hp_max": 0},
        {"weapon": 9},
        {"suits": ["s", "h", "d", "c"]},
        {"suits": ["z"]},
        {"skills": "\n".join("abcdefghijklmnopqrstu")},
        {"skills": "あ" * 41},
        {"notes": "あ" * 2001},
        {"campaign": 10**30},
    ],
)
def test_an_invalid_library_npc_is_not_saved(gm: Somebody, change: dict[str, object]) -> None:
    assert gm.client.post("/gm/npcs/new/", FIELDS | change).status_code == 422
    assert LibraryNpc.objects.count() == 0


def test_a_library_npc_with_the_largest_values_can_be_added_to_a_table(table: Table, gm: Somebody) -> None:
    largest = {"name": "あ" * 40, "rank": 6, "hp_max": 99, "weapon": 8, "armour": 8, "suits": ["s", "h", "d"]}
    largest |= {"skills": "\n".join(f"{n:い>40}" for n in range(20))}
    assert gm.client.post("/gm/npcs/new/", FIELDS | largest).status_code == 302
    assert spawn(gm, table, library=LibraryNpc.objects.get().pk, count=20).status_code == 200
    assert len(set(names(table))) == 20


def test_an_npc_library_is_open_to_its_owner_only(ayumi: Somebody, bo: Somebody, ogre: LibraryNpc) -> None:
    assert "鬼" not in ayumi.client.get("/gm/npcs/").content.decode()
    for address in (f"/gm/npcs/{ogre.pk}/", f"/gm/npcs/{ogre.pk}/copy/", f"/gm/npcs/{ogre.pk}/delete/"):
        assert ayumi.client.post(address, FIELDS).status_code == 404
        assert bo.client.post(address, FIELDS).status_code == 302  # to sign in
    ogre.refresh_from_db()
    assert ogre.name == "鬼"


def test_a_table_does_not_offer_npcs_of_another_campaign(
    table: Table, gm: Somebody, ogre: LibraryNpc
) -> None:
    other = Campaign.objects.create(gm=gm.person, name="別の話")
    LibraryNpc.objects.create(owner=gm.person, name="魚人", rank=1, campaign=other)
    html = gm.client.get(f"/t/{table.pk}/npcs/").content.decode()
    assert "鬼" in html
    assert "魚人" not in html
    listed = gm.client.get(f"/gm/npcs/?campaign={other.pk}").content.decode()
    assert "魚人" in listed
    assert "鬼" in listed
