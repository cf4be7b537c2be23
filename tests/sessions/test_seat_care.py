"""When a person or a phone drops out, the table goes on: stand-ins, sub-GMs, seats on other devices."""

from __future__ import annotations

import re
import time
from datetime import timedelta
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from sessions.evening import devices, nights, presence, refusals, stand_ins
from sessions.management.commands.demo import SAMPLES, create_character
from sessions.models import Move, Role, Seat, SeatClaim, SeatLink, Session, Table
from tests.conftest import Somebody
from tests.evening import call, cards_in, hand, play, sit
from tests.phones import phone
from tests.servers import ThreadServer

pytestmark = pytest.mark.django_db


def silent(seat: Seat, seconds: float) -> None:
    cache.set(presence._key(seat.pk), ("page", time.time() - seconds, True))


def gm_seat(session: Session) -> Seat:
    return session.seats.get(role=Role.GM)


def link_on(answer: Any) -> str:
    found = re.search(r"/seat/[\w-]+/", answer.content.decode())
    assert found
    return found[0]


# --- a seat on another device --------------------------------------------------------------------------


def test_a_seat_link_moves_a_seat_with_its_hand_to_another_phone(
    session: Session, seats: list[Seat], table: Table, bo: Somebody
) -> None:
    cards = set(hand(table, "p2"))
    link = link_on(bo.client.post(f"/s/{session.pk}/seats/{seats[1].pk}/link/"))
    new = Client()
    assert new.get(link).status_code == 200
    assert new.post(link).url == session.get_absolute_url()
    assert cards_in(new.get(table.get_absolute_url()).content.decode()) >= cards
    left = bo.client.get(table.get_absolute_url())
    assert left.status_code == 410, "a page that says where the seat went"
    assert cards_in(left.content.decode()) == set()


def test_a_seats_new_phone_can_read_its_sheet_until_the_seat_is_removed(
    session: Session, seats: list[Seat], bo: Somebody, kei: Somebody
) -> None:
    nights.bring_character(seat=seats[1], character=create_character(bo.person, SAMPLES[1]))
    sheet = f"/characters/{seats[1].character_id}/"
    assert kei.client.get(sheet).status_code == 404
    kei.client.post(link_on(bo.client.post(f"/s/{session.pk}/seats/{seats[1].pk}/link/")))
    assert kei.client.get(sheet).status_code == 200
    assert kei.client.get(f"{sheet}edit/").status_code == 404
    seats[1].refresh_from_db()
    nights.remove_seat(seat=seats[1])
    assert kei.client.get(sheet).status_code == 404


def test_a_seat_link_can_be_viewed_often_and_used_once(
    session: Session, seats: list[Seat], gm: Somebody
) -> None:
    link = link_on(gm.client.post(f"/s/{session.pk}/seats/{seats[1].pk}/link/"))
    first, second = Client(), Client()
    for _ in range(2):
        assert first.get(link).status_code == 200
    assert first.post(link).status_code == 302
    assert second.get(link).status_code == second.post(link).status_code == 410
    seats[1].refresh_from_db()
    assert first.get(session.get_absolute_url()).status_code == 200


def test_only_the_newest_seat_link_works_and_only_for_two_minutes(
    session: Session, seats: list[Seat], gm: Somebody
) -> None:
    address = f"/s/{session.pk}/seats/{seats[1].pk}/link/"
    old, new = (link_on(gm.client.post(address)) for _ in range(2))
    assert Client().post(old).status_code == 410
    SeatLink.objects.update(made_at=timezone.now() - timedelta(seconds=121))
    assert Client().post(new).status_code == 410
    assert Seat.objects.get(pk=seats[1].pk).person == seats[1].person


def test_the_link_of_a_removed_seat_does_not_work(session: Session, seats: list[Seat], bo: Somebody) -> None:
    link = link_on(bo.client.post(f"/s/{session.pk}/seats/{seats[1].pk}/link/"))
    nights.remove_seat(seat=seats[1])
    another = Client()
    assert another.get(link).status_code == another.post(link).status_code == 410
    assert Seat.objects.get(pk=seats[1].pk).person == bo.person


def test_a_player_cannot_make_links_of_other_seats(
    session: Session, seats: list[Seat], ayumi: Somebody
) -> None:
    for seat in (seats[1], gm_seat(session)):
        assert ayumi.client.post(f"/s/{session.pk}/seats/{seat.pk}/link/").status_code == 404
    assert not SeatLink.objects.exists()


def test_a_spectators_phone_can_take_a_seat_by_link_and_a_players_cannot(
    session: Session, seats: list[Seat], table: Table, ayumi: Somebody, kei: Somebody, gm: Somebody
) -> None:
    sit(session, kei.person, Role.SPECTATOR)
    address = f"/s/{session.pk}/seats/{seats[1].pk}/link/"
    assert ayumi.client.post(link_on(gm.client.post(address))).status_code == 410
    assert kei.client.post(link_on(gm.client.post(address))).status_code == 302
    assert session.seats.filter(person=kei.person).get() == seats[1]


def test_a_claimed_seat_moves_only_after_the_gm_allows_it(
    session: Session, seats: list[Seat], table: Table, gm: Somebody, kei: Somebody
) -> None:
    address = f"/j/{session.code}/mine/"
    assert seats[1].name in kei.client.get(address).content.decode()
    kei.client.post(address, {"seat": seats[1].pk})
    assert kei.client.get(f"{address}state/").status_code == 204
    assert kei.client.get(table.get_absolute_url()).status_code == 404
    desk = gm.client.get(table.get_absolute_url()).content.decode()
    found = re.search(r"/s/\d+/claims/\d+/", desk)
    assert found
    gm.client.post(found[0], {"allow": "1"})
    assert kei.client.get(f"{address}state/").status_code == 200
    assert kei.client.get(address).url == session.get_absolute_url()
    assert kei.client.get(table.get_absolute_url()).status_code == 200


def test_a_refused_claim_or_a_claim_of_a_seat_in_use_changes_nothing(
    session: Session, seats: list[Seat], gm: Somebody, kei: Somebody
) -> None:
    silent(seats[0], 1)
    address = f"/j/{session.code}/mine/"
    assert f'value="{seats[0].pk}"' not in kei.client.get(address).content.decode()
    kei.client.post(address, {"seat": seats[0].pk})
    assert not seats[0].claims.exists()
    kei.client.post(address, {"seat": gm_seat(session).pk})
    assert not gm_seat(session).claims.exists()
    kei.client.post(address, {"seat": seats[1].pk})
    gm.client.post(f"/s/{session.pk}/claims/{seats[1].claims.get().pk}/", {"allow": "0"})
    assert Seat.objects.get(pk=seats[1].pk).person == seats[1].person
    assert not seats[1].claims.exists()


def test_a_session_has_a_limited_number_of_claims(session: Session, seats: list[Seat]) -> None:
    address, claim = f"/j/{session.code}/mine/", {"seat": seats[1].pk}
    codes = [
        Client(REMOTE_ADDR=f"203.0.113.{number}").post(address, claim).status_code for number in range(41)
    ]
    assert codes == [302] * 40 + [422]
    assert SeatClaim.objects.count() == 40


def test_a_stranger_claims_one_seat_at_a_time(seats: list[Seat], kei: Somebody) -> None:
    for seat in seats:
        devices.claim_seat(seat=seat, person=kei.person)
    assert [claim.seat for claim in SeatClaim.objects.all()] == [seats[1]]


def test_players_cannot_answer_seat_claims(
    session: Session, seats: list[Seat], ayumi: Somebody, kei: Somebody
) -> None:
    devices.claim_seat(seat=seats[1], person=kei.person)
    claim = seats[1].claims.get()
    answer = ayumi.client.post(f"/s/{session.pk}/claims/{claim.pk}/", {"allow": "1"})
    assert answer.status_code == 404
    assert seats[1].claims.exists()
    assert "claims/" not in ayumi.client.get(session.get_absolute_url()).content.decode()


# --- somebody plays for somebody -----------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
async def test_a_stand_in_plays_the_hand_and_the_log_says_so(
    server: ThreadServer, session: Session, seats: list[Seat], table: Table, gm: Somebody, ayumi: Somebody
) -> None:
    address = f"/s/{session.pk}/seats/{seats[1].pk}/stand-in/"
    await database_sync_to_async(gm.client.post)(address, {"by": seats[0].pk})
    cards = set(await database_sync_to_async(hand)(table, "p2"))
    page = await database_sync_to_async(ayumi.client.get)(f"/t/{table.pk}/?as={seats[1].pk}")
    assert cards <= cards_in(page.content.decode())
    await database_sync_to_async(play)(table, "gm", call("p2"))
    async with phone(server, ayumi, f"/ws/tables/{table.pk}/?as={seats[1].pk}") as device:
        await device.until_version(1)
        answer = await device.play({"type": "give_up"})
        assert answer["accepted"] == 2
    move = await Move.objects.aget(table=table, number=2)
    assert (move.seat, move.stand_in) == ("p2", seats[0].name)
    log = await database_sync_to_async(gm.client.get)(f"/t/{table.pk}/log/")
    assert f"代行 {seats[0].name}" in log.content.decode()


def test_only_the_chosen_stand_in_sees_the_hand(
    session: Session, seats: list[Seat], table: Table, ayumi: Somebody, kei: Somebody
) -> None:
    watcher = sit(session, kei.person, Role.SPECTATOR)
    stand_ins.let_stand_in(seat=seats[1], stand_in=watcher)
    mine = f"/t/{table.pk}/?as={seats[1].pk}"
    assert ayumi.client.get(mine).url == table.get_absolute_url()
    assert set(hand(table, "p2")) <= cards_in(kei.client.get(mine).content.decode())
    stand_ins.end_stand_in(seat=seats[1])
    assert kei.client.get(mine).url == table.get_absolute_url()


def test_a_stand_in_cannot_play_for_a_removed_seat(seats: list[Seat], table: Table, ayumi: Somebody) -> None:
    stand_ins.let_stand_in(seat=seats[1], stand_in=seats[0])
    theirs = f"/t/{table.pk}/?as={seats[1].pk}"
    assert 'data-seat="p2"' in ayumi.client.get(theirs).content.decode()
    nights.remove_seat(seat=seats[1])
    assert ayumi.client.get(theirs).url == table.get_absolute_url()


def test_a_player_who_comes_back_ends_the_stand_in_with_one_tap(
    session: Session, seats: list[Seat], table: Table, bo: Somebody
) -> None:
    stand_ins.let_stand_in(seat=seats[1], stand_in=seats[0])
    page = bo.client.get(table.get_absolute_url()).content.decode()
    back = f"/s/{session.pk}/seats/{seats[1].pk}/back/"
    assert back in page
    assert bo.client.post(back, {"table": table.pk}).url == table.get_absolute_url()
    assert Seat.objects.get(pk=seats[1].pk).stand_in is None


def test_players_cannot_appoint_stand_ins_or_end_those_of_others(
    session: Session, seats: list[Seat], ayumi: Somebody, kei: Somebody
) -> None:
    third = sit(session, kei.person)
    address = f"/s/{session.pk}/seats/{seats[1].pk}/"
    assert ayumi.client.post(f"{address}stand-in/", {"by": seats[0].pk}).status_code == 404
    stand_ins.let_stand_in(seat=seats[1], stand_in=third)
    assert ayumi.client.post(f"{address}back/").status_code == 404
    assert Seat.objects.get(pk=seats[1].pk).stand_in == third


@pytest.mark.parametrize("by", ["", "²", "0", "99999999999999999999", "x"])
def test_an_unknown_stand_in_is_refused(session: Session, seats: list[Seat], gm: Somebody, by: str) -> None:
    answer = gm.client.post(f"/s/{session.pk}/seats/{seats[1].pk}/stand-in/", {"by": by})
    assert answer.status_code == 404


def test_a_stand_in_for_oneself_for_the_gm_or_from_outside_is_refused(
    session: Session, seats: list[Seat]
) -> None:
    elsewhere = nights.open_session(campaign=session.campaign, title="別の夜")
    for seat, helper in (
        (seats[0], seats[0]),
        (gm_seat(session), seats[0]),
        (seats[0], gm_seat(elsewhere)),
    ):
        with pytest.raises(refusals.Refused, match="cannot_stand_in"):
            stand_ins.let_stand_in(seat=seat, stand_in=helper)


# --- whoever plays a hand sees it: a player who is here is asked -----------------------------------------


def let(gm: Somebody, seat: Seat, helper: Seat) -> Any:
    return gm.client.post(f"/s/{seat.session_id}/seats/{seat.pk}/stand-in/", {"by": helper.pk}, follow=True)


def answer_yes(who: Somebody, session: Session, helper: Seat) -> None:
    who.client.post(f"/s/{session.pk}/lend/", {"by": helper.pk})


@pytest.mark.django_db(transaction=True)
async def test_the_gm_sees_a_present_players_hand_only_after_the_player_agrees(
    server: ThreadServer, session: Session, seats: list[Seat], table: Table, gm: Somebody, bo: Somebody
) -> None:
    own, theirs = await database_sync_to_async(gm_seat)(session), f"/t/{table.pk}/?as={seats[1].pk}"
    cards, get = set(await database_sync_to_async(hand)(table, "p2")), database_sync_to_async(gm.client.get)
    async with phone(server, bo, f"/ws/tables/{table.pk}/") as device:
        await device.until_shown('data-state="here"')
        told = await database_sync_to_async(let)(gm, seats[1], own)
        assert "先に本人に確かめています" in told.content.decode()
        await device.until_shown("GMさんに代行を任せますか？")
        refused = await get(theirs)
        assert (refused.status_code, refused.url) == (302, table.get_absolute_url())
        async with phone(server, gm, f"/ws/tables/{table.pk}/?as={seats[1].pk}") as peeping:
            assert await peeping.closing_code() == 4404
            assert not cards & cards_in(peeping.bytes)
        await database_sync_to_async(answer_yes)(bo, session, own)
        await device.until_shown("GMさんが代行中で、あなたの手札も見えています。")
        assert cards <= cards_in((await get(theirs)).content.decode())


@pytest.mark.parametrize("away", ["never here", "silent", "stepped out", "removed"])
def test_an_absent_player_is_not_asked_for_a_stand_in_but_told_on_return(
    session: Session, seats: list[Seat], table: Table, gm: Somebody, bo: Somebody, away: str
) -> None:
    if away != "never here":
        silent(seats[1], 60 if away == "silent" else 1)
    if away == "stepped out":
        stand_ins.mark_away(seat=seats[1])
    if away == "removed":
        nights.remove_seat(seat=seats[1])
    let(gm, seats[1], gm_seat(session))
    seats[1].refresh_from_db()
    assert seats[1].stand_in == gm_seat(session)
    if away != "removed":
        for there in (table, session):
            page = bo.client.get(there.get_absolute_url()).content.decode()
            assert "GMさんが代行中で、あなたの手札も見えています。" in page
            assert f"/s/{session.pk}/seats/{seats[1].pk}/back/" in page


def test_a_player_refuses_a_stand_in_with_one_tap(
    session: Session, seats: list[Seat], table: Table, gm: Somebody, bo: Somebody
) -> None:
    silent(seats[1], 1)
    let(gm, seats[1], gm_seat(session))
    back, no = f"/s/{session.pk}/seats/{seats[1].pk}/back/", "代行は取りやめ"
    for there in (table, session):
        assert back in bo.client.get(there.get_absolute_url()).content.decode()
    bo.client.post(back)
    answer_yes(bo, session, gm_seat(session))
    seats[1].refresh_from_db()
    assert (seats[1].stand_in, seats[1].stand_in_asked) == (None, None)
    assert no in gm.client.get(session.get_absolute_url()).content.decode()


def test_only_the_player_can_agree_and_only_to_the_proposed_stand_in(
    session: Session, seats: list[Seat], gm: Somebody, ayumi: Somebody, bo: Somebody, kei: Somebody
) -> None:
    watcher = sit(session, kei.person, Role.SPECTATOR)
    silent(seats[1], 1)
    let(gm, seats[1], gm_seat(session))
    for who, helper in ((bo, seats[0]), (ayumi, gm_seat(session)), (gm, gm_seat(session))):
        answer_yes(who, session, helper)
    assert not Seat.objects.exclude(stand_in=None).exists()
    let(gm, seats[1], watcher)
    nights.remove_seat(seat=watcher)
    answer_yes(bo, session, watcher)
    assert not Seat.objects.exclude(stand_in=None).exists(), "who was taken away plays for nobody"


def test_the_session_log_tells_all_players_of_each_stand_in(
    session: Session, seats: list[Seat], table: Table, gm: Somebody, ayumi: Somebody, bo: Somebody
) -> None:
    let(gm, seats[1], gm_seat(session))
    bo.client.post(f"/s/{session.pk}/seats/{seats[1].pk}/back/")
    for who in (gm, ayumi, bo):
        told = who.client.get(f"/s/{session.pk}/log/").content.decode()
        assert told.index("GMさんがボーさんを代行") < told.index("ボーさんが自分の操作に戻る")
    for kind in ("ccfolia", "markdown", "json"):
        file = ayumi.client.get(f"/s/{session.pk}/log/file/?format={kind}").content.decode()
        assert "GMさんがボーさんを代行" in file


# --- a sub-GM ------------------------------------------------------------------------------------------


def test_a_sub_gm_runs_the_session_when_the_gm_is_gone_and_gives_it_back(
    session: Session, seats: list[Seat], table: Table, gm: Somebody, ayumi: Somebody
) -> None:
    over = f"/s/{session.pk}/over/"
    gm.client.post(f"/s/{session.pk}/seats/{seats[0].pk}/deputy/", {"deputy": "1"})
    silent(gm_seat(session), 100)
    assert over not in ayumi.client.get(session.get_absolute_url()).content.decode()
    ayumi.client.post(over)
    assert ayumi.client.post(f"/s/{session.pk}/door/", {"open": "0"}).status_code == 404, "not yet"
    silent(gm_seat(session), 200)
    assert over in ayumi.client.get(session.get_absolute_url()).content.decode()
    ayumi.client.post(over)
    assert ayumi.client.post(f"/s/{session.pk}/door/", {"open": "0"}).status_code == 302
    desk = ayumi.client.get(f"/t/{table.pk}/?as={gm_seat(session).pk}").content.decode()
    assert 'data-seat="gm"' in desk
    assert 'data-seat="p1"' in ayumi.client.get(table.get_absolute_url()).content.decode()
    back = f"/s/{session.pk}/seats/{gm_seat(session).pk}/back/"
    assert back in gm.client.get(session.get_absolute_url()).content.decode()
    gm.client.post(back)
    assert ayumi.client.post(f"/s/{session.pk}/door/", {"open": "1"}).status_code == 404
    kinds = list(session.seat_notes.values_list("kind", flat=True))
    assert kinds == ["taken_back", "took_over", "deputy"]


def test_a_player_who_is_no_sub_gm_cannot_take_over_the_session(
    session: Session, seats: list[Seat], ayumi: Somebody
) -> None:
    silent(gm_seat(session), 500)
    ayumi.client.post(f"/s/{session.pk}/over/")
    assert gm_seat(session).stand_in is None
    assert ayumi.client.post(f"/s/{session.pk}/end/").status_code == 404


def test_a_dismissed_or_removed_sub_gm_no_longer_runs_the_session(
    session: Session, seats: list[Seat], table: Table, ayumi: Somebody
) -> None:
    silent(gm_seat(session), 500)
    desk = f"/t/{table.pk}/?as={gm_seat(session).pk}"
    for dismiss in (
        lambda: stand_ins.set_deputy(seat=seats[0], deputy=False),
        lambda: nights.remove_seat(seat=seats[0]),
    ):
        stand_ins.set_deputy(seat=seats[0], deputy=True)
        stand_ins.take_charge(deputy=Seat.objects.get(pk=seats[0].pk))
        assert 'data-seat="gm"' in ayumi.client.get(desk).content.decode()
        dismiss()
        assert ayumi.client.post(f"/s/{session.pk}/door/", {"open": "0"}).status_code == 404
        assert 'data-seat="gm"' not in ayumi.client.get(desk, follow=True).content.decode(), (
            "nor sees the hand"
        )


def test_a_sub_gm_in_charge_cannot_appoint_sub_gms(
    session: Session, seats: list[Seat], ayumi: Somebody
) -> None:
    silent(gm_seat(session), 500)
    stand_ins.set_deputy(seat=seats[0], deputy=True)
    stand_ins.take_charge(deputy=Seat.objects.get(pk=seats[0].pk))
    address = f"/s/{session.pk}/seats/{seats[1].pk}/deputy/"
    assert ayumi.client.post(address, {"deputy": "1"}).status_code == 404
    assert not Seat.objects.get(pk=seats[1].pk).deputy


# --- away for a while ----------------------------------------------------------------------------------


def test_a_player_who_steps_out_is_shown_as_away_until_they_return(
    session: Session, seats: list[Seat], ayumi: Somebody, bo: Somebody
) -> None:
    words = "離席中"
    assert words not in bo.client.get(session.get_absolute_url()).content.decode()
    ayumi.client.post(f"/s/{session.pk}/out/", {"out": "1"})
    assert words in bo.client.get(session.get_absolute_url()).content.decode()
    ayumi.client.post(f"/s/{session.pk}/out/", {"out": "0"})
    assert words not in bo.client.get(session.get_absolute_url()).content.decode()


@pytest.mark.parametrize(("seconds", "told"), [(10, False), (70, True)])
def test_players_are_told_when_the_gm_has_been_silent_for_a_minute(
    session: Session, table: Table, bo: Somebody, seconds: float, told: bool
) -> None:
    silent(gm_seat(session), seconds)
    page = bo.client.get(table.get_absolute_url()).content.decode()
    assert ("GMを待っています" in page.split('id="evening"')[1].split('class="phone"')[0]) is told


# --- whoever is waited for has stepped out -----------------------------------------------------------------


def out(who: Somebody, session: Session) -> None:
    who.client.post(f"/s/{session.pk}/out/", {"out": "1"})


def desk(who: Somebody, table: Table) -> str:
    return str(who.client.get(table.get_absolute_url()).content.decode())


def test_the_gm_chooses_a_stand_in_when_the_table_waits_for_an_away_player(
    session: Session, seats: list[Seat], table: Table, gm: Somebody, ayumi: Somebody, bo: Somebody
) -> None:
    asks = f'id="absent-{seats[0].pk}"'
    out(ayumi, session)
    assert asks not in desk(gm, table), "nobody is waited for"
    play(table, "gm", call("p1"))
    assert asks in desk(gm, table)
    assert asks not in desk(bo, table), "the GM chooses"
    answer = gm.client.post(
        f"/s/{session.pk}/seats/{seats[0].pk}/stand-in/", {"by": seats[1].pk, "table": table.pk}
    )
    assert answer.url == table.get_absolute_url(), "the GM stays at the table"
    assert asks not in desk(gm, table)
    seats[0].refresh_from_db()
    assert seats[0].stand_in == seats[1]


def test_the_gm_is_asked_for_a_stand_in_for_a_removed_player(
    session: Session, seats: list[Seat], table: Table, gm: Somebody, ayumi: Somebody, bo: Somebody
) -> None:
    where, asks = f"/s/{session.pk}/seats/{seats[0].pk}", f'id="absent-{seats[0].pk}"'
    play(table, "gm", call("p1"))
    assert asks not in desk(gm, table)
    gm.client.post(f"{where}/remove/")
    assert asks in desk(gm, table)
    assert asks not in desk(bo, table)
    theirs = f"/t/{table.pk}/?as={seats[0].pk}"
    assert 'data-seat="p1"' not in bo.client.get(theirs, follow=True).content.decode()
    gm.client.post(f"{where}/stand-in/", {"by": seats[1].pk, "table": table.pk})
    assert 'data-seat="p1"' in bo.client.get(theirs).content.decode()
    assert ayumi.client.get(table.get_absolute_url()).status_code in (302, 403), "still out"
    gm.client.post(f"{where}/restore/")
    assert 'data-seat="p1"' not in bo.client.get(theirs, follow=True).content.decode()
    assert 'data-seat="p1"' in ayumi.client.get(table.get_absolute_url()).content.decode()


@pytest.mark.parametrize("way", ["out", "back"])
def test_a_player_who_is_back_is_not_away_and_has_no_stand_in(
    session: Session, seats: list[Seat], ayumi: Somebody, way: str
) -> None:
    """Both buttons say the same words, so both do the same."""
    out(ayumi, session)
    stand_ins.let_stand_in(seat=seats[0], stand_in=seats[1])
    ways = {"out": f"/s/{session.pk}/out/", "back": f"/s/{session.pk}/seats/{seats[0].pk}/back/"}
    ayumi.client.post(ways[way], {"out": "0"})
    seats[0].refresh_from_db()
    assert (seats[0].stepped_out, seats[0].stand_in) == (False, None)


def test_a_stand_in_who_gives_the_seat_back_leaves_the_player_away(
    session: Session, seats: list[Seat], ayumi: Somebody, bo: Somebody
) -> None:
    out(ayumi, session)
    stand_ins.let_stand_in(seat=seats[0], stand_in=seats[1])
    bo.client.post(f"/s/{session.pk}/seats/{seats[0].pk}/back/")
    seats[0].refresh_from_db()
    assert (seats[0].stepped_out, seats[0].stand_in) == (True, None)


def test_a_player_who_stepped_out_is_not_shown_as_here(
    session: Session, seats: list[Seat], ayumi: Somebody, bo: Somebody
) -> None:
    for seat in seats:
        silent(seat, 0)
    out(ayumi, session)
    html = bo.client.get(session.get_absolute_url()).content.decode()
    person = html.split(f'id="person-{seats[0].pk}"')[1].split("</li>")[0]
    assert "離席中" in person
    assert 'data-state="here"' not in person
    assert "在席" not in person
