"""The log of a night, read and saved: each reader's own view, and files that no message can break."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterator
from datetime import datetime, timedelta
from html.parser import HTMLParser
from typing import Any

import pytest
from django.utils import translation
from django.utils.html import escape
from django.utils.safestring import SafeString

from companion.rendering.markup import clean, plain, still
from sessions.chat import messages
from sessions.engine.step import encode
from sessions.evening import nights
from sessions.game import Event
from sessions.models import Role, Seat, Session, Tab, Table
from sessions.report import audience, logs
from sessions.report.logs import SessionLogEntry
from sessions.table import moves
from tests.conftest import Somebody
from tests.evening import call, cards_in, hand, play, sit

pytestmark = pytest.mark.django_db

#: An event that only p2 was told; it stands in the log as if a game had whispered it.
SECRET = "himitsu-no-shirushi"
NASTY = "</span></p><script>alert(1)</script>\"'&<b>*_`[x](y)#|\\"


def whisper(table: Table, text: str = SECRET) -> None:
    """Let the last move have told p2 something."""
    last = table.moves.order_by("-number")[0]
    last.events = bytes(encode([Event("declared", {"seat": "p2", "text": text}, ("p2",))]))
    last.save(update_fields=["events"])


@pytest.fixture
def told(table: Table, kei: Somebody) -> Table:
    """A table where p1 played openly, then p2 was told a secret; Kei watched."""
    sit(table.session, kei.person, Role.SPECTATOR)
    play(table, "gm", call("p1"))
    card = next(card for card in hand(table, "p1") if not card.startswith("x"))
    play(table, "p1", json.dumps({"type": "play", "card": card}).encode())
    play(table, "p2", b'{"type": "declare", "text": "hi"}')
    whisper(table)
    return table


def paths(table: Table) -> Iterator[str]:
    """Every page and file that tells of a night, with every pair of eyes."""
    night, views = f"/s/{table.session_id}", ["", "spectator", "own", "open"]
    yield from (
        f"{night}/report/",
        f"{night}/verify/",
        f"/t/{table.pk}/verify/",
        f"/t/{table.pk}/verify/facts/",
    )
    for view in views:
        yield f"{night}/log/?view={view}"
        yield from (f"{night}/log/file/?view={view}&format={name}" for name in logs.FORMATS)
        yield from (f"/t/{table.pk}/replay/?view={view}&version={number}" for number in range(4))
    yield f"/t/{table.pk}/playthrough/"


def knows(who: Somebody, table: Table) -> bool:
    """True if any bytes that a person can get contain the secret."""
    answers = [who.client.get(path) for path in paths(table)]
    assert {answer.status_code for answer in answers} <= {200, 404}
    assert any(answer.status_code == 200 for answer in answers)
    return any(SECRET.encode() in answer.content for answer in answers)


def test_no_page_or_file_has_a_secret_before_the_gm_opens_the_secrets(
    told: Table, gm: Somebody, ayumi: Somebody, bo: Somebody, kei: Somebody
) -> None:
    session = told.session
    assert [knows(who, told) for who in (gm, ayumi, bo, kei)] == [False, False, True, False]
    nights.close_session(session=session)
    assert [knows(who, told) for who in (gm, ayumi, bo, kei)] == [True, False, True, False]
    audience.open_secrets(session=session, is_open=True)
    assert [knows(who, told) for who in (gm, ayumi, bo, kei)] == [True, True, True, True]
    audience.open_secrets(session=session, is_open=False)
    assert [knows(who, told) for who in (gm, ayumi, bo, kei)] == [True, False, True, False]


def test_the_speaker_of_a_log_line_comes_from_its_event_not_its_move(told: Table) -> None:
    """A secret move may have a public effect, so the speaker of a line comes from the event alone."""
    last = told.moves.order_by("-number")[0]
    last.events = bytes(encode([Event("reshuffled", {"deck_count": 3})]))
    last.save(update_fields=["events"])
    with translation.override("en"):
        [entry] = [
            e for e in logs.entries(told.session, audience.Perspective("spectator")) if "shuffled" in e.text
        ]
    assert entry.speaker == "Uroboros Chain"
    assert entry.colour == logs.NARRATOR


class Spoken(HTMLParser):
    """A CCFOLIA log as its readers take it: for each paragraph its style and the texts of its spans."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.lines: list[tuple[str, list[str]]] = []
        self.stray, self.tags, self._in = "", set[str](), ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag == "p":
            self.lines.append((str(dict(attrs)["style"]), []))
        elif tag == "span":
            self.lines[-1][1].append("")
            self._in = "span"
        elif tag == "br":
            self.lines[-1][1][-1] += "\n"

    def handle_endtag(self, tag: str) -> None:
        self._in = "" if tag == "span" else self._in

    def handle_data(self, data: str) -> None:
        if self._in == "span":
            self.lines[-1][1][-1] += data
        elif self.lines:
            self.stray += data


def saved(who: Somebody, session: Session, **query: str) -> Any:
    who.client.cookies["django_language"] = query.pop("language", "ja")
    return who.client.get(f"/s/{session.pk}/log/file/", query)


def test_the_ccfolia_export_has_the_markup_of_ccfolia_logs(told: Table, bo: Somebody) -> None:
    whisper(told, NASTY)
    html = saved(bo, told.session, format="ccfolia", view="own").content.decode()
    read = Spoken(html)
    assert read.tags == {"html", "head", "meta", "title", "body", "p", "span"}
    assert {len(spans) for _, spans in read.lines} == {3}
    assert {spans[0] for _, spans in read.lines} == {" [メイン]"}
    assert all(re.fullmatch(r"color:#[0-9a-f]{6};", style) for style, _ in read.lines)
    assert {spans[1] for _, spans in read.lines} == {"無限蛇の鎖", "あゆみ", "ボー"}
    [(style, (_, speaker, text))] = [line for line in read.lines if "alert" in line[1][2]]
    assert (speaker, text) == ("ボー", f"(ボーだけに) ボー「{NASTY}」")
    assert style != read.lines[1][0], "two speakers, two colours"
    assert re.sub(r"[\s:]", "", read.stray) == ""
    plain_line = next(line for line in html.splitlines() if "あゆみ" in line)
    shape = r'<p style="color:#\w{6};"><span> \[メイン\]</span> <span>あゆみ</span> : <span>[^<]*</span></p>'
    assert re.fullmatch(shape, plain_line)


def entry(text: str, speaker: str = "リン", tab: str = Tab.MAIN, second: int = 0) -> SessionLogEntry:
    when = datetime.fromisoformat("2026-11-21T20:00:00+09:00") + timedelta(seconds=second)
    html = escape(text).replace("\n", "<br>")
    return SessionLogEntry(when, tab, speaker, SafeString(f"<li>{html}</li>"))


def test_line_breaks_in_the_ccfolia_export_become_br(session: Session) -> None:
    read = Spoken(logs.ccfolia(session, "spectator", [entry("one\ntwo")]))
    assert read.lines[0][1][2] == "one\ntwo"


def test_the_markdown_export_escapes_markup_in_names_and_texts(session: Session) -> None:
    session.title = "# 夜 *星*\n## x"
    lines = [
        entry("1. no list\n- nor this\n    nor code", speaker="**A** [x](y)"),
        entry("a`b`<i>|~~c~~ http://x"),
    ]
    written = logs.markdown(session, "spectator", lines)
    assert written.splitlines()[0] == "\\# 夜 \\*星\\* \\#\\# x".replace("\\# 夜", "# \\# 夜", 1)
    items = written.split("\n\n")[2]
    bare = re.sub(r"\\[^\n]", "", items)
    assert re.sub(r"^- \d\d:\d\d (.*?)\*\*.*?\*\*:", "", bare, flags=re.M) == re.sub(
        r"[*_`<>\[\]#|~]", "", re.sub(r"^- \d\d:\d\d (.*?)\*\*.*?\*\*:", "", bare, flags=re.M)
    )
    assert "1\\. no list\\\n  \\- nor this\\\n  nor code" in items
    assert len(re.findall(r"^- ", items, re.M)) == 2


def test_the_json_export_has_the_fields_that_formats_md_describes(told: Table, ayumi: Somebody) -> None:
    answer = saved(ayumi, told.session, format="json", view="own")
    read = answer.json()
    assert read["format"] == "takujo.log"
    assert (read["version"], read["view"], read["language"]) == (1, "own", "ja")
    assert read["session"]["title"] == "第一夜"
    [line] = [line for line in read["entries"] if line.get("event", {}).get("kind") == "played"]
    assert (line["tab"], line["speaker"], line["to"]) == ("main", "あゆみ", None)
    assert cards_in(json.dumps(line["event"]["data"]))
    assert re.search("(スペード|ハート|ダイヤ|クラブ)の", line["text"])
    assert [line["when"] for line in read["entries"]] == sorted(line["when"] for line in read["entries"])


def test_an_exported_log_is_the_spectators_view_by_default(told: Table, bo: Somebody) -> None:
    assert saved(bo, told.session, format="json").json()["view"] == "spectator"
    assert SECRET not in saved(bo, told.session, format="json").content.decode()
    assert saved(bo, told.session, format="pdf").status_code == 404
    assert saved(bo, told.session, format="json", view="gm").status_code == 404


def test_an_exported_log_is_in_the_requested_language(told: Table, bo: Somebody) -> None:
    english = saved(bo, told.session, format="ccfolia", language="en").content.decode()
    assert "[Main]" in english
    assert "メイン" not in english


def test_undone_moves_stay_in_the_log_and_are_marked(table: Table, gm: Somebody) -> None:
    for difficulty in (3, 4):
        play(table, "gm", call("p1", difficulty))
        table.refresh_from_db()
        moves.rewind(table_pk=table.pk, to=0, reason="", version=table.version)
    play(table, "gm", call("p1", 2))
    told = json.loads(saved(gm, table.session, format="json").content)["entries"]
    called = [one["taken_back"] for one in told if one.get("event", {}).get("kind") == "called"]
    assert called == [True, True, False]
    gone = sum(one["taken_back"] for one in told)
    assert saved(gm, table.session, format="markdown").content.decode().count("(取り消し済み)") == gone
    page = gm.client.get(f"/s/{table.session_id}/log/").content.decode()
    assert page.count("data-taken-back") == gone


@pytest.mark.parametrize("title", ["第一夜", 'a"b/../c\\d', "x\r\nSet-Cookie: a=b", "…" * 60, "/"])
def test_names_of_exported_logs_are_safe_in_headers_and_on_disks(
    session: Session, gm: Somebody, title: str
) -> None:
    Session.objects.filter(pk=session.pk).update(title=title)
    header = saved(gm, session, format="markdown")["Content-Disposition"]
    assert header.startswith("attachment; filename")
    assert "Set-Cookie" not in header or "\n" not in header
    session.title = title
    assert not re.search(r'[\\/:*?"<>|\x00-\x1f]', logs.file_name(session, "md"))


def test_chat_messages_are_merged_into_the_log_by_time(
    told: Table, seats: list[Seat], ayumi: Somebody
) -> None:
    draft = messages.MessageDraft(client_id=uuid.uuid4(), tab=Tab.OTHER, text="やった")
    messages.send(seat=seats[0], draft=draft)
    play(told, "p2", b'{"type": "declare", "text": "hi"}')
    texts = [one.text for one in logs.entries(told.session, audience.Perspective("spectator"))]
    [said] = [text for text in texts if "やった" in text]
    assert texts.index(said) not in (0, len(texts) - 1)
    html = ayumi.client.get(f"/s/{told.session_id}/log/").content.decode()
    assert "雑談" in html
    only = ayumi.client.get(f"/s/{told.session_id}/log/?tab=other").content.decode()
    assert "やった" in only
    assert "判定" not in re.sub(r"(?s)<header.*?</header>", "", only).split('class="log night-log"')[1]


def test_plain_text_of_html_is_the_text_that_a_screen_reader_says() -> None:
    card = '<span><span aria-hidden="true">7<svg><use/></svg></span><b>seven</b></span>'
    assert plain(f"<li>drew {card},\n  &lt;ok&gt;<br>x</li>") == "drew seven, <ok>\nx"
    assert clean("a\x00b\u202ec\r\nd\ud800") == "abc\nd"


def test_a_still_of_a_screen_has_no_controls() -> None:
    drawn = still(
        '<section id="hand" aria-labelledby="x"><form data-move="{}"><button>Play</button><p>gone</p></form>'
        '<label class="pick" for="a"><input id="a" name="raised" type="radio" aria-label="7 &amp; &lt;x&gt;">'
        '<svg><use href="#s"/></svg></label><a href="/t/">there</a> &amp; &#60; '
        "<select><option>a</select></section>"
    )
    assert drawn == (
        '<section><span class="pick"><span class="visually-hidden">7 &amp; &lt;x&gt;</span>'
        '<svg><use href="#s"/></svg></span><span>there</span> &amp; &#60; </section>'
    )


def test_a_message_is_in_every_log_and_a_whisper_in_those_of_two_people(
    told: Table, seats: list[Seat], gm: Somebody, ayumi: Somebody, bo: Somebody, kei: Somebody
) -> None:
    night = f"/s/{told.session_id}"
    ids = ("00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002")
    ayumi.client.post(f"{night}/chat/", {"tab": "main", "text": "扉を開けます", "id": ids[0]})
    ayumi.client.post(
        f"{night}/chat/", {"tab": "whisper", "text": "こっそり逃げよう", "to": seats[1].pk, "id": ids[1]}
    )
    nights.close_session(session=told.session)
    audience.open_secrets(session=Session.objects.get(pk=told.session_id), is_open=True)
    for who, whispered in ((ayumi, True), (bo, True), (gm, False), (kei, False)):
        log = who.client.get(f"{night}/log/").content.decode()
        assert "扉を開けます" in log
        assert ("こっそり逃げよう" in log) is whispered
    everything = ayumi.client.get(f"{night}/log/?view=open").content.decode()
    assert "こっそり逃げよう" not in everything
