"""The chat: writers and readers of each tab, and HP written in a message."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.utils import timezone

from characters.models import Character
from companion.fate import Fate
from sessions.chat import messages
from sessions.evening import nights
from sessions.evening.refusals import Refused
from sessions.live.pages import FacePage, LobbyPage, TablePage
from sessions.models import Message, Role, Seat, Session, Table
from sessions.table import opening, seat_view
from sessions.views import chat
from tests.conftest import Somebody, _guest
from tests.evening import log_of, play, sit

pytestmark = pytest.mark.django_db

ORIGIN = "http://takujo.test"


def say(seat: Seat, text: str, tab: str = "main", **more: Any) -> Message:
    draft = messages.MessageDraft(client_id=uuid.uuid4(), tab=tab, text=text, **more)
    return messages.send(seat=Seat.objects.get(pk=seat.pk), draft=draft)


def whisper(seat: Seat, text: str, *to: Seat, **more: Any) -> Message:
    return say(seat, text, "whisper", to=[str(one.pk) for one in to], **more)


def refused(seat: Seat, text: str, tab: str = "main", **more: Any) -> str:
    before = Message.objects.count(), list(Table.objects.values_list("version", flat=True))
    with pytest.raises(Refused) as refusal:
        say(seat, text, tab, **more)
    assert (Message.objects.count(), list(Table.objects.values_list("version", flat=True))) == before
    return refusal.value.code


def set_options(session: Session, **chosen: bool) -> None:
    usual = {"gm_reads_whispers": False, "players_write_hp": True, "spectators_chat": False}
    messages.set_options(session=session, **(usual | chosen))


def texts(session: Session, reader: Seat | None) -> list[str]:
    return [message.text for message in messages.readable_with_speakers(session, reader)]


@pytest.fixture
def desk(session: Session) -> Seat:
    return session.seats.get(role=Role.GM)


@pytest.fixture
def watcher(session: Session, kei: Somebody) -> Seat:
    return sit(session, kei.person, Role.SPECTATOR)


@pytest.fixture
def saki(bo: Somebody, seats: list[Seat]) -> Character:
    sheet = Character.objects.create(owner=bo.person, name="サキ", hp_max=5, hp=4, suits="h", status="done")
    Seat.objects.filter(pk=seats[1].pk).update(character=sheet)
    seats[1].refresh_from_db()
    return sheet


# --- writing ---------------------------------------------------------------------------------------------


def test_a_message_keeps_emoji_joiners_and_wide_spaces(desk: Seat) -> None:
    assert (
        say(desk, "👨\u200d👩\u200d👧 絵文字\n\u3000می\u200cخواهم").text
        == "👨\u200d👩\u200d👧 絵文字\n\u3000می\u200cخواهم"
    )


def test_messages_are_read_by_all_in_the_order_they_were_written(
    session: Session, seats: list[Seat], desk: Seat, watcher: Seat
) -> None:
    say(seats[0], "こんばんは")
    say(desk, "始めましょう", "info")
    say(seats[1], "はい", "other")
    for reader in (*seats, desk, watcher, None):
        assert texts(session, reader) == ["こんばんは", "始めましょう", "はい"]


def test_a_message_sent_twice_is_stored_once_and_changes_hp_once(
    seats: list[Seat], saki: Character, table: Table
) -> None:
    draft = messages.MessageDraft(client_id=uuid.uuid4(), tab="main", text=":HP-1")
    assert messages.send(seat=seats[1], draft=draft) == messages.send(seat=seats[1], draft=draft)
    assert Message.objects.count() == 1
    saki.refresh_from_db()
    assert Table.objects.get().version == 1, "and hurts once"


@pytest.mark.parametrize("other", [{"text": "いや"}, {"tab": "other"}, {"speaker": "character"}])
def test_another_message_with_a_used_client_id_is_refused_with_a_reason(
    session: Session, seats: list[Seat], ayumi: Somebody, other: dict[str, str]
) -> None:
    sent = {"client_id": uuid.uuid4().hex, "tab": "main", "text": "はい"}
    url = f"/s/{session.pk}/chat/"
    assert ayumi.client.post(url, sent, **SCRIPT).status_code == 204
    refusal = ayumi.client.post(url, sent | other, **SCRIPT)
    assert refusal.status_code == 422
    assert (
        refusal.json()["reason"]
        == "同じ番号の別のメッセージがすでに届いています。これは送られていません。もう一度送ってください。"
    )
    assert ayumi.client.post(url, sent, **SCRIPT).status_code == 204, "the first is still known"
    assert texts(session, seats[0]) == ["はい"]


def test_a_resent_message_is_recognised_after_its_edit_or_deletion(seats: list[Seat]) -> None:
    draft = messages.MessageDraft(client_id=uuid.uuid4(), tab="main", text="やあ")
    message = messages.send(seat=seats[0], draft=draft)
    messages.rewrite(message=message, text="こんばんは")
    assert messages.send(seat=seats[0], draft=draft) == message
    messages.delete(message=message)
    assert messages.send(seat=seats[0], draft=draft) == message


def test_two_people_may_use_the_same_client_id_for_a_message(seats: list[Seat]) -> None:
    draft = messages.MessageDraft(client_id=uuid.uuid4(), tab="main", text="やあ")
    assert messages.send(seat=seats[0], draft=draft) != messages.send(seat=seats[1], draft=draft)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        *((text, "nothing_written") for text in ("", " \n\u3000\n", "\u3164", "\u2800", "\u200b\n\ufe0f")),
        ("あ" * 1001, "too_long"),
    ],
)
def test_a_message_that_shows_nothing_or_is_too_long_is_refused(
    seats: list[Seat], text: str, code: str
) -> None:
    assert refused(seats[0], text) == code


def test_a_message_keeps_its_lines_and_loses_control_characters(seats: list[Seat]) -> None:
    assert say(seats[0], "一\r\n二\x00\x1b[31m三\u202e").text == "一\n二  [31m三"


def test_html_in_a_message_is_escaped(session: Session, seats: list[Seat], ayumi: Somebody) -> None:
    say(seats[1], "<b>太い</b> & 細い")
    page = ayumi.client.get(session.get_absolute_url()).content.decode()
    assert "&lt;b&gt;太い&lt;/b&gt; &amp; 細い" in page
    assert "<b>太い" not in page


def test_only_the_gm_can_speak_under_any_name(seats: list[Seat], desk: Seat, saki: Character) -> None:
    assert say(seats[1], "a", speaker="character").spoken_as == "サキ"
    assert say(seats[1], "a", speaker="seat").spoken_as == "ボー"
    assert say(seats[1], "a", speaker="見張りの男").spoken_as == "ボー", "only the GM is anybody"
    assert say(desk, "a", speaker="見張りの男").spoken_as == "見張りの男"
    assert say(desk, "a").spoken_as == "GM"


def test_spectators_can_write_in_the_other_tab_if_the_gm_allows_it(
    session: Session, seats: list[Seat], watcher: Seat
) -> None:
    assert refused(watcher, "がんばれ", "other") == "not_here"
    set_options(session, spectators_chat=True)
    assert say(watcher, "がんばれ", "other")
    assert refused(watcher, "がんばれ", "main") == "not_here"
    assert refused(watcher, "やあ", "whisper", to=[str(seats[0].pk)]) == "not_here"
    assert refused(seats[0], "やあ", "whisper", to=[str(watcher.pk)]) == "whisper_to_stranger"


def test_messages_cannot_be_written_or_changed_after_the_session(session: Session, seats: list[Seat]) -> None:
    message = say(seats[0], "またね")
    nights.close_session(session=session)
    assert refused(seats[0], "まだいる？") == "session_over"
    for change in (
        lambda: messages.delete(message=message),
        lambda: messages.rewrite(message=message, text="x"),
    ):
        with pytest.raises(Refused, match="session_over"):
            change()


def test_a_message_is_edited_and_deleted_by_its_author(session: Session, seats: list[Seat]) -> None:
    message = say(seats[0], "おはよう")
    messages.rewrite(message=message, text="こんばんは")
    message.refresh_from_db()
    assert message.text == "こんばんは"
    assert message.edited_at
    messages.delete(message=message)
    assert texts(session, seats[1]) == [""]
    drawn = LobbyPage(seats[1].person, session.pk, ORIGIN).render_all().regions["chat_main"]
    assert "削除されました" in drawn
    with pytest.raises(Refused, match="message_gone"):
        messages.rewrite(message=message, text="やっぱり")


# --- whispers --------------------------------------------------------------------------------------------


def test_a_whisper_is_read_by_its_sender_and_recipients_only(
    session: Session, seats: list[Seat], desk: Seat, watcher: Seat
) -> None:
    whisper(seats[0], "あの人、怪しい", seats[1])
    assert texts(session, seats[0]) == texts(session, seats[1]) == ["あの人、怪しい"]
    for other in (desk, watcher, None):
        assert texts(session, other) == []


def test_a_gm_allowed_to_read_whispers_reads_no_earlier_ones(
    session: Session, seats: list[Seat], desk: Seat
) -> None:
    whisper(seats[0], "前", seats[1])
    set_options(session, gm_reads_whispers=True)
    assert refused(seats[0], "見られたくない", "whisper", to=[str(seats[1].pk)]) == "whispers_changed"
    whisper(seats[0], "後", seats[1], gm_reads=True)
    assert texts(session, desk) == ["後"]
    set_options(session)
    assert texts(session, desk) == ["後"]
    for seat in seats:
        assert texts(session, seat) == ["前", "後"]


def test_the_chat_tells_players_whether_the_gm_reads_whispers(session: Session, seats: list[Seat]) -> None:
    page = LobbyPage(seats[0].person, session.pk, ORIGIN)
    assert "今夜の秘話は、GMも読めます" not in page.render_all().regions["chat_with"]
    set_options(session, gm_reads_whispers=True)
    assert "今夜の秘話は、GMも読めます" in page.render_all().regions["chat_with"]


def test_a_whisper_needs_a_recipient_with_another_seat_in_the_session(seats: list[Seat]) -> None:
    assert refused(seats[0], "誰か", "whisper") == "whisper_to_nobody"
    for stranger in ("0", "x", str(seats[0].pk), "9" * 40):
        assert refused(seats[0], "誰か", "whisper", to=[stranger]) == "whisper_to_stranger"
    nights.remove_seat(seat=seats[1])
    assert refused(seats[0], "まだいる？", "whisper", to=[str(seats[1].pk)]) == "whisper_to_stranger"


def test_a_removed_player_cannot_open_the_chat(session: Session, seats: list[Seat], bo: Somebody) -> None:
    message = whisper(seats[0], "ひみつ", seats[1])
    nights.remove_seat(seat=seats[1])
    for path in ("", f"{message.pk}/"):
        assert bo.client.get(f"/s/{session.pk}/chat/{path}").status_code == 404
    assert bo.client.post(f"/s/{session.pk}/chat/", {"text": "x"}).status_code == 404


def bytes_for(outsiders: list[Somebody], session: Session, table: Table) -> dict[str, str]:
    """Return every byte shown to the people who are left out, by page and region."""
    seen: dict[str, str] = dict(FacePage(str(session.face_key), ORIGIN).render_all().regions)
    for who in outsiders:
        for page in (LobbyPage(who.person, session.pk, ORIGIN), TablePage(who.person, table.pk, ORIGIN)):
            for region, html in page.render_all().regions.items():
                seen[f"{who.person} {type(page).__name__} {region}"] = html
        for tab in ("main", "info", "other", "whisper"):
            page = who.client.get(f"/s/{session.pk}/chat/?tab={tab}").content.decode()
            seen[f"{who.person} {tab}"] = re.sub(r'(csrfmiddlewaretoken" value=)"\w+"', "", page)
    return seen


def test_pages_of_outsiders_are_byte_equal_with_and_without_whispers(
    session: Session, seats: list[Seat], table: Table, gm: Somebody, kei: Somebody, watcher: Seat
) -> None:
    haru = _guest("はる")
    third = sit(session, haru.person)
    say(seats[0], "表の話")
    outsiders = [gm, kei, haru]
    before = bytes_for(outsiders, session, table)
    first = whisper(seats[0], "ひみつ" * 20, seats[1])
    whisper(seats[1], "うん", seats[0])
    messages.rewrite(message=first, text="やっぱりこう")
    messages.delete(message=whisper(seats[0], "まちがい", seats[1]))
    assert bytes_for(outsiders, session, table) == before
    whisper(seats[0], "きみにも", third)
    assert bytes_for(outsiders, session, table) != before, "whoever is meant sees it"


def test_message_ids_on_a_page_are_random_and_show_no_count(
    session: Session, seats: list[Seat], bo: Somebody
) -> None:
    """Ids are random: a gap in numbers would tell of a whisper."""
    keys = [say(seats[0], str(number)).pk for number in range(3)]
    drawn = LobbyPage(bo.person, session.pk, ORIGIN).render_all().regions["chat_main"]
    assert [uuid.UUID(key) for key in re.findall(r'id="m-(\w+)"', drawn)] == keys
    assert {key.version for key in keys} == {4}


def test_a_whisper_of_others_cannot_be_used_to_page_back_in_the_chat(
    session: Session, seats: list[Seat], gm: Somebody
) -> None:
    hidden = whisper(seats[0], "ひみつ", seats[1])
    for key in (hidden.pk, uuid.uuid4()):
        answer = gm.client.get(f"/s/{session.pk}/chat/?tab=whisper&before={key}")
        assert answer.status_code == 200
        assert "いちばん新しいところへ" not in answer.content.decode()
    assert gm.client.get(f"/s/{session.pk}/chat/?before=nothing").status_code == 404
    assert gm.client.get(f"/s/{session.pk}/chat/{hidden.pk}/").status_code == 404


# --- HP --------------------------------------------------------------------------------------------------


def hp(table: Table, key: str = "p2") -> int:
    table.refresh_from_db()
    view: Any = seat_view.seat_view(table, "gm").view
    return int(view.characters[key].hp)


def test_a_player_can_change_their_own_hp_and_the_log_says_by_whom(
    seats: list[Seat], saki: Character, table: Table
) -> None:
    message = say(seats[1], "転んだ ：ＨＰ－１")
    assert message.changes == [["サキ", 4, 3]]
    assert hp(table) == 3
    [line] = [line for line in log_of(table, None) if line.event.kind == "hp_changed"]
    assert line.event.data == {"who": "p2", "hp": 3, "was": 4, "by": "p2"}
    assert table.moves.get().seat == "gm", "a ruling, which replays as one"


def test_a_player_can_name_their_own_character_or_seat_in_an_hp_change(
    seats: list[Seat], saki: Character, table: Table
) -> None:
    assert say(seats[1], "@サキ :HP-1").changes == [["サキ", 4, 3]]
    assert say(seats[1], "@ボー :HP-1").changes == [["サキ", 3, 2]]
    assert hp(table) == 2


def test_several_hp_changes_in_a_message_are_all_applied_or_all_refused(
    seats: list[Seat], saki: Character, table: Table
) -> None:
    assert refused(seats[1], ":HP-1 :HP+5") == "hp_above_max"
    assert hp(table) == 4
    assert say(seats[1], ":HP-1 :HP+2").changes == [["サキ", 4, 3], ["サキ", 3, 5]]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (":HP+2", "hp_above_max"),
        (":HP=-100", "hp_out_of_range"),
        (":HP-9999", "hp_out_of_range"),
        (":HP-1ダメージ", "no_number"),
        (":MP-1", "unknown_label"),
        ("@あゆみ :HP-1", "hp_not_yours"),
        ("@だれか :HP-1", "hp_not_yours"),
        (":HP-1 " * 9, "too_many_edits"),
    ],
)
def test_a_player_cannot_write_invalid_hp_or_the_hp_of_others(
    seats: list[Seat], saki: Character, table: Table, text: str, code: str
) -> None:
    assert refused(seats[1], text) == code
    assert hp(table) == 4


def test_the_gm_can_change_any_visible_characters_hp_by_name(
    seats: list[Seat], saki: Character, table: Table, desk: Seat
) -> None:
    play(table, "gm", b'{"type": "add_npc", "name": "\xe8\x9b\x87", "rank": 2, "hidden": false}')
    play(table, "gm", '{"type": "add_npc", "name": "影", "rank": 2, "hidden": true}'.encode())
    assert say(desk, "@サキ :HP-2").changes == [["サキ", 4, 2]]
    assert say(desk, "@ボー :HP+1").changes == [["サキ", 2, 3]], "by the seat's name, too"
    assert say(desk, "@蛇 :HP-1").changes[0][0] == "蛇"
    assert refused(desk, ":HP-1") == "hp_of_whom"
    assert refused(desk, "@どこか :HP-1") == "hp_of_nobody"
    assert refused(desk, "@影 :HP-1") == "hp_hidden", "the message would tell its HP"
    play(table, "gm", '{"type": "add_npc", "name": "蛇", "rank": 2, "hidden": false}'.encode())
    assert refused(desk, "@蛇 :HP-1") == "hp_of_several"
    assert refused(desk, "@サキ :HP-1", "whisper", to=[str(seats[0].pk)]) == "hp_whispered"


def test_players_cannot_write_hp_if_the_gm_forbids_it(
    session: Session, seats: list[Seat], saki: Character
) -> None:
    set_options(session, players_write_hp=False)
    assert refused(seats[1], ":HP-1") == "hp_not_yours"


def test_an_hp_change_without_a_table_is_written_to_the_sheet(
    seats: list[Seat], saki: Character, desk: Seat
) -> None:
    assert say(seats[1], ":HP-1").changes == [["サキ", 4, 3]]
    assert say(desk, "@サキ :HP=1").changes == [["サキ", 3, 1]]
    saki.refresh_from_db()
    assert saki.hp == 1
    assert refused(seats[1], ":HP+9") == "hp_above_max"
    assert refused(seats[1], ":HP=-100") == "hp_out_of_range"
    assert refused(seats[0], ":HP-1") == "hp_without_character"


def test_a_player_without_a_character_is_told_that_there_is_no_hp(
    session: Session, seats: list[Seat], ayumi: Somebody
) -> None:
    data = {"client_id": uuid.uuid4().hex, "tab": "main", "text": ":HP-1"}
    answer = ayumi.client.post(f"/s/{session.pk}/chat/", data, headers={"Accept": "application/json"})
    assert "HP" in answer.json()["reason"]


def test_references_in_a_message_are_filled_from_the_table_or_the_sheet(
    seats: list[Seat], saki: Character, desk: Seat
) -> None:
    assert say(seats[1], "{名前} {HP}/{HP^} {CA}").text == "サキ 4/5 6"
    assert say(seats[0], "{名前} {HP}").text == "あゆみ {HP}"
    opening.open_table(session=seats[0].session, module_key="uroboros", players=seats)
    assert say(seats[1], "{HP} {手札}").text == "4 4"
    assert say(desk, "{HP} {名前}").text == "{HP} GM"


# --- by HTTP ---------------------------------------------------------------------------------------------

SCRIPT = {"headers": {"Accept": "application/json"}}


def test_a_chat_request_for_json_gets_204_or_the_reason(
    session: Session, seats: list[Seat], ayumi: Somebody
) -> None:
    url = f"/s/{session.pk}/chat/"
    assert ayumi.client.post(url, {"text": "やあ", "tab": "main"}, **SCRIPT).status_code == 204
    answer = ayumi.client.post(url, {"text": " ", "tab": "main"}, **SCRIPT)
    assert (answer.status_code, answer.json()["reason"]) == (422, "まず何か書いてください。")


def test_the_chat_form_without_scripts_sends_and_keeps_refused_text(
    session: Session, seats: list[Seat], ayumi: Somebody
) -> None:
    url = f"/s/{session.pk}/chat/"
    answer = ayumi.client.post(url, {"text": "やあ", "tab": "info"})
    assert (answer.status_code, answer["Location"]) == (302, f"{url}?tab=info")
    assert "やあ" in ayumi.client.get(answer["Location"]).content.decode()
    refusal = ayumi.client.post(url, {"text": "のこる言葉 :HP-1", "tab": "main"})
    assert refusal.status_code == 422
    assert "のこる言葉 :HP-1</textarea>" in refusal.content.decode()


@pytest.mark.parametrize(
    "fields",
    [
        {"client_id": "x"},
        {"client_id": "0" * 5000},
        {"tab": "secret"},
        {"tab": "\x00"},
        {"to": "\x00", "tab": "whisper"},
        {"speaker": "\x00" * 200},
        {"text": "\x00"},
        {"text": "あ" * 60_000},
    ],
    ids=str,
)
def test_malformed_chat_input_causes_no_server_error(
    session: Session, seats: list[Seat], ayumi: Somebody, fields: dict[str, str]
) -> None:
    sent = {"text": "やあ", "tab": "main", **fields}
    assert ayumi.client.post(f"/s/{session.pk}/chat/", sent, **SCRIPT).status_code in (204, 404, 422)


def test_the_chat_palette_has_the_lines_of_the_players_own_sheet(
    session: Session, seats: list[Seat], saki: Character, ayumi: Somebody, bo: Somebody
) -> None:
    saki.skills.create(order=0, name="追跡")
    saki.items.create(kind="weapon", name="銛", table_value=2)
    page = bo.client.get(session.get_absolute_url()).content.decode()
    lines = re.findall(r"data-palette>(.*?)</button>", page)
    assert "銛（武器2）で攻撃する" in lines
    assert any("追跡" in line for line in lines)
    assert not any("◆" in line for line in lines)
    assert [say(seats[1], line).text for line in lines if "{" in line] == ["残りHPは4"]
    assert "data-palette" not in ayumi.client.get(session.get_absolute_url()).content.decode(), "no sheet"


def test_a_person_without_a_seat_cannot_open_the_chat(session: Session, kei: Somebody) -> None:
    assert kei.client.get(f"/s/{session.pk}/chat/").status_code == 404
    assert kei.client.post(f"/s/{session.pk}/chat/", {"text": "やあ"}).status_code == 404


def test_only_its_author_changes_a_message(
    session: Session, seats: list[Seat], ayumi: Somebody, bo: Somebody, gm: Somebody
) -> None:
    message = say(seats[0], "おはよう")
    url = f"/s/{session.pk}/chat/{message.pk}/"
    for other in (bo, gm):
        assert other.client.post(url, {"text": "x"}).status_code == 404
    assert ayumi.client.post(url, {"text": ""}).status_code == 422
    assert ayumi.client.post(url, {"text": "こんばんは"}).status_code == 302
    assert ayumi.client.post(url, {"delete": "1"}, **SCRIPT).status_code == 204
    message.refresh_from_db()
    assert (message.text, bool(message.deleted_at)) == ("", True)


def test_only_the_gm_can_change_the_chat_options(
    session: Session, seats: list[Seat], gm: Somebody, bo: Somebody
) -> None:
    url = f"/s/{session.pk}/chat/options/"
    assert bo.client.post(url, {"gm_reads_whispers": "on"}).status_code == 404
    gm.client.post(url, {"gm_reads_whispers": "on"})
    session.refresh_from_db()
    assert (session.gm_reads_whispers, session.players_write_hp) == (True, False)


def test_a_flood_of_chat_messages_is_stopped_by_the_rate_limit(
    session: Session, seats: list[Seat], ayumi: Somebody
) -> None:
    url = f"/s/{session.pk}/chat/"
    # A new minute may begin meanwhile, and with it another count: enough for two of them.
    flood = range(2 * chat.A_MINUTE + 1)
    answers = [ayumi.client.post(url, {"text": "わ", "tab": "main"}, **SCRIPT) for _ in flood]
    stopped = [answer for answer in answers if answer.status_code == 429]
    assert answers[0].status_code == 204
    assert stopped
    assert stopped[0].json()["reason"]


def test_the_chat_shows_fifty_messages_and_older_ones_on_further_pages(
    session: Session, seats: list[Seat], ayumi: Somebody
) -> None:
    first = timezone.now() - timedelta(hours=1)
    for number in range(130):
        message = say(seats[0], f"no.{number}.")
        Message.objects.filter(pk=message.pk).update(sent_at=first + timedelta(seconds=number))
    live = LobbyPage(ayumi.person, session.pk, ORIGIN).render_all().regions["chat_main"]
    assert re.findall(r"no\.(\d+)\.", live) == [str(number) for number in range(80, 130)]
    page = ayumi.client.get(f"/s/{session.pk}/chat/").content.decode()
    assert re.findall(r"no\.(\d+)\.", page) == [str(number) for number in range(30, 130)]
    older = re.search(r"before=([\w-]+)", page)
    assert older
    page = ayumi.client.get(f"/s/{session.pk}/chat/?tab=main&before={older[1]}").content.decode()
    assert re.findall(r"no\.(\d+)\.", page) == [str(number) for number in range(30)]


# --- standing in ---------------------------------------------------------------------------------------


def test_a_stand_in_cannot_read_whispers_of_the_seat_they_play(
    session: Session, seats: list[Seat], table: Table, desk: Seat, ayumi: Somebody
) -> None:
    haru = _guest("はる")
    third = sit(session, haru.person)
    whisper(third, "代わりの人には秘密", seats[1])
    whisper(third, "GMにも秘密の代理", desk)
    Seat.objects.filter(pk__in=[seats[1].pk, desk.pk]).update(stand_in=seats[0])
    Seat.objects.filter(pk=seats[0].pk).update(deputy=True)
    pages = [LobbyPage(ayumi.person, session.pk, ORIGIN)] + [
        TablePage(ayumi.person, table.pk, ORIGIN, represented_pk=seat.pk) for seat in (seats[1], desk)
    ]
    for page in pages:
        assert "秘密" not in page.render_all().regions["chat_whisper"]
        assert "秘密" not in page.render_parts(["chat_whisper"]).regions["chat_whisper"]
    assert "秘密" not in ayumi.client.get(f"/s/{session.pk}/chat/?tab=whisper").content.decode()


def test_a_stand_in_of_the_gm_can_speak_and_change_hp_like_the_gm(
    seats: list[Seat], saki: Character, table: Table, desk: Seat
) -> None:
    assert refused(seats[0], "@サキ :HP-1") == "hp_not_yours"
    Seat.objects.filter(pk=desk.pk).update(stand_in=seats[0])
    Seat.objects.filter(pk=seats[0].pk).update(deputy=True)
    message = say(seats[0], "@サキ :HP-1 飛びかかる", speaker="蛇")
    assert (message.spoken_as, message.changes) == ("蛇", [["サキ", 4, 3]])


# --- rolls ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "dice", "sides", "plus", "label"),
    [
        ("2d6", 2, 6, 0, ""),
        ("1D100", 1, 100, 0, ""),
        ("d20+3", 1, 20, 3, ""),
        ("d20-1 崖を登る", 1, 20, -1, "崖を登る"),
        ("２ｄ６＋１　攻撃", 2, 6, 1, "攻撃"),
        ("20d1000", 20, 1000, 0, ""),
        ("1d6 +1", 1, 6, 1, ""),
        ("２ｄ６　＋　３", 2, 6, 3, ""),
        ("２ｄ６＋３　二度目", 2, 6, 3, "二度目"),
        ("1d6 − 1 投げる", 1, 6, -1, "投げる"),
        ("2d6+1+2 -4", 2, 6, -1, ""),
        ("1d66", 1, 66, 0, ""),
        ("2d6 - 攻撃", 2, 6, 0, "- 攻撃"),
        ("2d6 (炎)", 2, 6, 0, "(炎)"),
    ],
)
def test_a_message_in_dice_notation_rolls_the_dice(
    seats: list[Seat], text: str, dice: int, sides: int, plus: int, label: str
) -> None:
    message = say(seats[0], text)
    assert message.rolled
    assert len(message.rolled["dice"]) == dice
    assert all(1 <= die <= sides for die in message.rolled["dice"])
    assert message.rolled["sum"] == sum(message.rolled["dice"]) + plus
    assert message.text.endswith(label)
    assert f" {message.rolled['sum']}" in message.text


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("1d100<=50", lambda total: total <= 50),
        ("1d100 <= 50 目星", lambda total: total <= 50),
        ("１ｄ１００＜＝５０　目星", lambda total: total <= 50),
        ("2d6≧7", lambda total: total >= 7),
        ("2d6>=7", lambda total: total >= 7),
        ("2d6 +1 > 7", lambda total: total > 7),
        ("1d2<2", lambda total: total < 2),
    ],
)
def test_a_roll_with_a_target_says_whether_it_held(
    seats: list[Seat], session: Session, text: str, holds: Callable[[int], bool]
) -> None:
    found = set()
    for _ in range(20):
        message = say(seats[0], text)
        assert message.rolled
        held = holds(message.rolled["sum"])
        assert message.rolled["held"] is held
        assert message.roll_result == ("成功" if held else "失敗")
        found.add(held)
    assert found == {True, False}
    shown = render_to_string("sessions/_rolled.html", messages.last_roll_context(session, None))
    assert message.roll_result in shown
    assert say(seats[0], "2d6").roll_result == ""


@pytest.mark.parametrize("text", ["D66", "d66 表", "Ｄ６６"])
def test_d66_is_two_dice_as_tens_and_units(seats: list[Seat], text: str) -> None:
    for _ in range(10):
        message = say(seats[0], text)
        assert message.rolled
        tens, units = message.rolled["dice"]
        assert {tens, units} <= set(range(1, 7))
        assert (message.rolled["sides"], message.rolled["sum"]) == (6, tens * 10 + units)
        assert f"D66 → {tens}{units}" in message.text


#: Counts that nobody has, and words of which a part would count for nothing.
REFUSED_ROLLS = {
    "roll_out_of_bounds": ["0d6", "21d6", "2d1", "1d1001", "d0", "d6+10000", "d6<=10000"],
    "roll_unknown": [
        *(
            "2d6=7",
            "1d100<=",
            "1d100<=50目星",
            "1d100<=50+5",
            "1d100<=1d50",
            "D66<=33",
            "D66+1",
            "1d6+1d4",
            "1d6 +1d4",
            "2d6*2",
        ),
        *("2d6 × 2", "3d6kh2", "2d6+{器用}", "2d6+", "2d6+3攻撃", "2d6@10", "2d6[火]"),
    ],
}


@pytest.mark.parametrize(
    ("text", "code"), [(text, code) for code, texts in REFUSED_ROLLS.items() for text in texts]
)
def test_unsupported_dice_notation_is_refused(seats: list[Seat], text: str, code: str) -> None:
    assert refused(seats[0], text) == code


@pytest.mark.parametrize(
    "text", ["2d6で攻撃", "私は2d6", "2d", "d", "2d6\n3d6", "add6", ":d6", "D66表", "2d6?"]
)
def test_text_that_only_looks_like_dice_rolls_nothing(seats: list[Seat], text: str) -> None:
    assert say(seats[0], text).rolled is None


def test_a_chat_roll_follows_from_the_sessions_secret_and_is_final(
    session: Session, seats: list[Seat]
) -> None:
    message = say(seats[0], "4d100")
    session.refresh_from_db()
    fate = Fate(session.roll_secret, 0)
    assert message.rolled
    assert message.rolled["dice"] == [fate.roll(message.client_id.hex, 100) for _ in range(4)]
    again = messages.MessageDraft(client_id=message.client_id, tab="main", text="4d100")
    assert messages.send(seat=seats[0], draft=again) == message
    for change in (
        lambda: messages.rewrite(message=message, text="400"),
        lambda: messages.delete(message=message),
    ):
        with pytest.raises(Refused, match="roll_stands"):
            change()


def test_each_session_has_its_own_roll_secret_shown_only_after_its_end(
    session: Session, table: Table, ayumi: Somebody
) -> None:
    other = nights.open_session(campaign=session.own_campaign, title="第二夜")
    assert len({session.roll_secret, other.roll_secret, ""}) == 3
    say(session.seats.get(person=ayumi.person), "2d6")
    page = ayumi.client.get(table.get_absolute_url()).content.decode()
    assert session.roll_commitment in page
    assert session.roll_secret not in page
    assert ayumi.client.get(f"/s/{session.pk}/verify/").status_code == 404
    nights.close_session(session=session)
    proof = ayumi.client.get(f"/s/{session.pk}/verify/").content.decode()
    assert session.roll_secret in proof
    assert "2d6" in proof


def test_a_whispered_roll_is_shown_to_its_sender_and_recipients_only(
    session: Session, table: Table, seats: list[Seat], ayumi: Somebody, bo: Somebody, desk: Seat, gm: Somebody
) -> None:
    rolled = whisper(seats[0], "1d1000 毒味", desk)
    assert messages.last_roll_context(session, None) == {"roll": None}
    shown = say(seats[1], "1d1000")
    assert messages.last_roll_context(session, None) == {"roll": shown}
    nights.close_session(session=session)
    for who, knows in ((ayumi, True), (gm, True), (bo, False)):
        proof = who.client.get(f"/s/{session.pk}/verify/").content.decode()
        assert ("毒味" in proof, rolled.client_id.hex in proof) == (knows, knows)
        assert shown.client_id.hex in proof
