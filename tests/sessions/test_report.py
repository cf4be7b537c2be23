"""The night report: its content, its readers, and the GM's opening of secrets."""

from __future__ import annotations

import json
import re
import uuid

import msgspec
import pytest
from django.utils import translation

from companion.fate import Fate
from sessions.chat.messages import MessageDraft, delete, send
from sessions.engine.bots import random_game
from sessions.engine.playthrough import read_script, run_script
from sessions.engine.registry import registry
from sessions.engine.step import decode_move, step
from sessions.evening import nights, refusals, stand_ins
from sessions.game import Event
from sessions.live.regions import plain_values
from sessions.models import Message, Role, Seat, Session, Tab, Table
from sessions.report import audience
from sessions.report.session_report import render_highlight
from sessions.table import log, opening
from sessions.views import report
from tests.conftest import Somebody
from tests.evening import call, hand, play, sit

pytestmark = pytest.mark.django_db


def call_and_play(table: Table, seat: str = "p1", difficulty: int = 0) -> None:
    """Call a check and play a card of the hand."""
    play(table, "gm", call(seat, difficulty))
    card = next(card for card in hand(table, seat) if not card.startswith("x"))
    play(table, seat, json.dumps({"type": "play", "card": card}).encode())


def page(who: Somebody, path: str, language: str = "en", status: int = 200) -> str:
    who.client.cookies["django_language"] = language
    answer = who.client.get(path)
    assert answer.status_code == status, path
    return answer.content.decode()


def address(session: Session) -> str:
    return f"/s/{session.pk}/report/"


def test_the_report_counts_each_players_checks_and_tells_the_result(table: Table, ayumi: Somebody) -> None:
    call_and_play(table, "p1", 0)
    call_and_play(table, "p1", 0)
    call_and_play(table, "p2", 0)
    html = page(ayumi, address(table.session))
    rows = re.findall(r'<tr>\s*<th scope="row">\s*(.*?)\s*</th>(.*?)</tr>', html, re.DOTALL)
    counts = {name: re.findall(r">(\d+)<", cells) for name, cells in rows}
    assert counts == {"あゆみ": ["2", "2", "2", "0", "0"], "ボー": ["1", "1", "1", "0", "0"]}
    assert "so far" in html
    assert "Running" in html
    nights.close_session(session=table.session)
    over = page(ayumi, address(table.session))
    assert "so far" not in over
    assert "Stopped as it stood." not in over, "a night that ends is an ordinary end"
    assert "That was tonight" in over.split('class="report-result"')[1].split("</p>")[0]


def test_the_report_says_that_a_table_ended_by_its_rules(table: Table, bo: Somebody) -> None:
    play(table, "gm", b'{"type": "end"}')
    assert "The story ended here for tonight." in page(bo, address(table.session))


def test_the_report_quotes_only_messages_of_the_main_chat(
    table: Table, seats: list[Seat], ayumi: Somebody, bo: Somebody
) -> None:
    def say(seat: Seat, text: str, tab: Tab, *to: Seat) -> Message:
        return send(
            seat=seat, draft=MessageDraft(uuid.uuid4(), tab, text, "", [str(one.pk) for one in to], False)
        )

    say(seats[0], "俺が先に行く。ロープを頼む！", Tab.MAIN)
    say(seats[0], "うん", Tab.MAIN)
    say(seats[1], "実は裏切り者なんだ", Tab.WHISPER, seats[0])
    say(seats[1], "トイレ行ってきます", Tab.OTHER)
    delete(message=say(seats[1], "これは消しました", Tab.MAIN))
    for who in (ayumi, bo):
        html = page(who, address(table.session))
        said = re.findall(r"<blockquote>\s*(.*?)\s*</blockquote>", html)
        assert said == ["俺が先に行く。ロープを頼む！"]


def test_a_session_without_tables_has_a_report(session: Session, gm: Somebody) -> None:
    assert "No table yet" in page(gm, address(session))


def test_an_ended_session_links_to_its_report(table: Table, gm: Somebody, ayumi: Somebody) -> None:
    nights.close_session(session=table.session)
    for who in (gm, ayumi):
        assert f'href="{address(table.session)}"' in page(who, f"/s/{table.session_id}/")


@pytest.mark.parametrize("path", ["report/", "log/", "log/file/?format=json", "verify/"])
def test_strangers_and_removed_seats_cannot_open_the_report_or_the_log(
    table: Table, kei: Somebody, bo: Somebody, seats: list[Seat], path: str
) -> None:
    nights.remove_seat(seat=seats[1])
    page(kei, f"/s/{table.session_id}/{path}", status=404)
    page(bo, f"/s/{table.session_id}/{path}", status=403)


@pytest.mark.parametrize("path", ["replay/", "verify/", "verify/facts/", "playthrough/"])
def test_replay_and_proof_open_to_the_sessions_seats_after_its_end_only(
    table: Table, gm: Somebody, kei: Somebody, bo: Somebody, seats: list[Seat], path: str
) -> None:
    page(gm, f"/t/{table.pk}/{path}", status=404)
    nights.close_session(session=table.session)
    page(gm, f"/t/{table.pk}/{path}", status=200)
    page(kei, f"/t/{table.pk}/{path}", status=404)
    nights.remove_seat(seat=seats[1])
    page(bo, f"/t/{table.pk}/{path}", status=403)


def test_a_sessions_proof_checks_some_tables_and_links_to_the_others(
    table: Table, seats: list[Seat], gm: Somebody, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report, "PLAYED_AT_ONCE", 1)
    other = opening.open_table(session=table.session, module_key="uroboros", players=seats)
    nights.close_session(session=table.session)
    found = page(gm, f"/s/{table.session_id}/verify/")
    alone = f'href="/t/{other.pk}/verify/"'
    assert (found.count("data-facts"), found.count("data-whole"), found.count(alone)) == (2, 1, 1)
    assert found.count('data-check="fits" data-verdict="same"') == 1
    assert alone not in page(gm, f"/t/{other.pk}/verify/")


def test_only_the_gm_opens_the_secrets_and_only_after_the_end(
    table: Table, gm: Somebody, ayumi: Somebody
) -> None:
    session, path = table.session, f"{address(table.session)}secrets/"
    gm.client.post(path, {"open": "1"})
    session.refresh_from_db()
    assert session.secrets_opened_at is None
    nights.close_session(session=session)
    assert ayumi.client.post(path, {"open": "1"}).status_code == 404
    assert gm.client.get(path).status_code == 405
    assert "Open the secrets?" in page(gm, address(session))
    assert "Open the secrets?" not in page(ayumi, address(session))
    gm.client.post(path, {"open": "1"})
    session.refresh_from_db()
    opened = session.secrets_opened_at
    assert opened
    gm.client.post(path, {"open": "1"})
    session.refresh_from_db()
    assert session.secrets_opened_at == opened, "opened twice is opened once"
    gm.client.post(path, {"open": "0"})
    session.refresh_from_db()
    assert session.secrets_opened_at is None


def views(session: Session, seat: Seat | None) -> list[str]:
    return [reader.view for reader in audience.perspectives(session, seat)]


def test_each_role_is_offered_the_views_that_it_may_see(
    table: Table, seats: list[Seat], kei: Somebody, session: Session
) -> None:
    watcher, gm = sit(session, kei.person, Role.SPECTATOR), session.seats.get(role=Role.GM)
    assert views(session, gm) == ["spectator", "own"], "while the night runs not even the GM"
    nights.close_session(session=session)
    assert views(session, gm) == ["spectator", "own", "open"]
    assert views(session, seats[0]) == ["spectator", "own"]
    assert views(session, watcher) == ["spectator"]
    assert views(session, None) == ["spectator"]
    audience.open_secrets(session=session, is_open=True)
    session.refresh_from_db()
    assert views(session, watcher) == ["spectator", "open"]
    assert views(session, None) == ["spectator", "open"]


def test_a_sub_gm_who_took_over_runs_the_report_too(
    table: Table, seats: list[Seat], session: Session, bo: Somebody
) -> None:
    gm = session.seats.get(role=Role.GM)
    stand_ins.set_deputy(seat=seats[1], deputy=True)
    nights.close_session(session=session)
    seats[1].refresh_from_db()
    assert views(session, seats[1]) == ["spectator", "own"]
    Seat.objects.filter(pk=gm.pk).update(stand_in=seats[1])
    assert views(session, seats[1]) == ["spectator", "own", "open"]
    assert "Open the secrets?" in page(bo, address(session))


def test_the_gm_opens_and_closes_a_public_link_to_the_replays(
    table: Table, gm: Somebody, ayumi: Somebody, kei: Somebody
) -> None:
    session, share = table.session, f"{address(table.session)}share/"
    with pytest.raises(refusals.Refused, match="session_running"):
        audience.share_replays(session=session, is_shared=True)
    nights.close_session(session=session)
    assert ayumi.client.post(share, {"open": "1"}).status_code == 404
    gm.client.post(share, {"open": "1"})
    session.refresh_from_db()
    link = f"/r/{session.replay_key}/"
    assert link in page(gm, address(session))
    assert link not in page(ayumi, address(session))
    assert kei.client.get(link)["X-Robots-Tag"] == "noindex"
    page(kei, f"{link}{table.pk}/")
    page(kei, f"{link}{table.pk}/?view=open", status=404)
    page(kei, f"{link}{table.pk}/?view=own", status=404)
    page(kei, f"{link}{table.pk + 1}/", status=404)
    page(kei, f"/r/{uuid.uuid4()}/", status=404)
    audience.open_secrets(session=session, is_open=True)
    page(kei, f"{link}{table.pk}/?view=open")
    gm.client.post(share, {"open": "0"})
    page(kei, link, status=404)
    page(kei, f"{link}{table.pk}/", status=404)
    gm.client.post(share, {"open": "1"})
    page(kei, link, status=404)


def test_the_script_of_an_ended_table_gives_the_same_events(
    table: Table, gm: Somebody, ayumi: Somebody
) -> None:
    call_and_play(table)
    play(table, "p1", b'{"type": "declare", "text": "up"}')
    play(table, "p1", b'{"type": "undo"}')
    play(table, "gm", b'{"type": "flip"}')
    play(table, "gm", b'{"type": "rewind", "to": 2}')
    play(table, "gm", b'{"type": "end"}')
    nights.close_session(session=table.session)
    table.refresh_from_db()
    page(ayumi, f"/t/{table.pk}/playthrough/", status=404)
    lines = [line for line, _ in run_script(read_script(page(gm, f"/t/{table.pk}/playthrough/").encode()))]
    told = [event for line in lines[:-1] for event in line.events]  # type: ignore[union-attr]
    assert told == [line.event for line, _ in log.all_lines(table)]


def test_highlights_of_the_report_are_rendered_as_sentences(table: Table) -> None:
    call_and_play(table, "p1", 0)
    highlights = [
        Event("best_check", {"seat": "p1", "difficulty": 3, "card": "h07", "label": "<b>wall</b>"}),
        Event("deck_draws", {"seat": "p1", "count": 2}),
        Event("helped", {"seat": "p1", "to": "p2", "count": 1}),
        Event("near_miss", {"seat": "p2", "count": 1}),
    ]
    context = plain_values(table, None, {})
    with translation.override("en"):
        words = [render_highlight(table, one, context) for one in highlights]
    assert "“Hard” (&lt;b&gt;wall&lt;/b&gt;)" in words[0]
    assert "あゆみ drew from the deck 2 times." in words[1]
    assert "あゆみ gave ボー 1 card." in words[2]
    assert "1 failed card of ボー would have fitted" in words[3]


def test_the_digest_of_every_module_counts_its_own_events(table: Table) -> None:
    for module in registry().values():
        if not module.telling.digest:
            continue
        first, *rest = random_game(module, module.seats[-1], "digest")
        snapshot, events = first.snapshot, []
        for number, moment in enumerate(rest, 1):
            move = decode_move(module, moment.move)
            snapshot, happened = step(module, snapshot, moment.seat, move, Fate("digest", number))
            events += [one for one in happened if one.to is None]
        found = module.telling.digest(events, msgspec.convert({}, module.options))
        assert len({tuple(counts) for counts in found.counts.values()}) <= 1, "every row has the same columns"
        assert set(found.counts) <= set(module.load(snapshot).seats)


def test_moves_that_were_taken_back_do_not_count_in_the_report(table: Table, bo: Somebody) -> None:
    call_and_play(table)
    before = page(bo, address(table.session))
    play(table, "gm", b'{"type": "rewind", "to": 0}')
    assert page(bo, address(table.session)) != before
    play(table, "gm", b'{"type": "end"}')


def test_an_ended_tables_proof_is_closed_while_its_session_runs(table: Table, bo: Somebody) -> None:
    play(table, "gm", b'{"type": "end"}')
    for path in (f"/t/{table.pk}/verify/", f"/t/{table.pk}/verify/facts/", f"/s/{table.session_id}/verify/"):
        page(bo, path, status=404)
