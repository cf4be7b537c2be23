"""Replays show every step as each seat saw it. Also the facts behind a table's shuffles."""

from __future__ import annotations

import hashlib
import hmac
import itertools
import json
import re
import uuid
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from django.conf import settings

from companion.fate import WitnessedFate
from companion.models import Person
from sessions.engine.registry import registry
from sessions.engine.step import encode
from sessions.engine.undo import SPAN
from sessions.evening import nights
from sessions.models import Campaign, Move, Role, Table
from sessions.report import audience, replay_pages
from sessions.table import log, opening
from sessions.table.replay import check_log, snapshot_at, table_at
from tests.conftest import Somebody
from tests.evening import cards_in, play, sit

pytestmark = pytest.mark.django_db

MOVES = SPAN + 6


def play_on(table: Table, moves: int, secret: int = 1) -> list[bytes]:
    """Play random legal moves, and return the snapshot at each version."""
    module, rng, snapshots = registry()[table.module], Random(secret), [bytes(table.snapshot)]
    while len(snapshots) <= moves:
        state = module.load(snapshots[-1])
        if module.outcome(state):
            break
        seats = [seat for seat in state.seats if module.legal_moves(state, seat)]
        waited = [seat for seat in seats if seat in module.waiting_for(state)]
        seat = rng.choice(waited if rng.random() < 0.9 and waited else seats)
        legal = [move for move in module.legal_moves(state, seat) if b'"end"' not in encode(move)]
        play(table, seat, encode(rng.choice(legal)))
        table.refresh_from_db()
        snapshots.append(bytes(table.snapshot))
    return snapshots


@pytest.fixture
def snapshots(table: Table) -> list[bytes]:
    """The table's true snapshots of a long game that has ended."""
    played = play_on(table, MOVES)
    nights.close_session(session=table.session)
    table.refresh_from_db()
    return played


def test_a_replay_restores_the_table_at_every_version(table: Table, snapshots: list[bytes]) -> None:
    assert len(snapshots) == MOVES + 1
    order = list(range(MOVES + 1))
    Random(3).shuffle(order)
    for version in order:
        then = table_at(table, version)
        assert (then.version, bytes(then.snapshot)) == (version, snapshots[version])
        assert (then.ended_at is None) is (version < MOVES)
    assert bytes(Table.objects.get(pk=table.pk).snapshot) == snapshots[-1]
    assert snapshot_at(table, 5) == snapshots[5]


def test_a_replay_step_after_a_checkpoint_reads_few_moves(
    table: Table, snapshots: list[bytes], django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(3) as asked:
        table_at(table, MOVES - 1)
    assert f">= {SPAN + 1} " in asked.captured_queries[-1]["sql"], "what is older is not read"


def test_a_replay_shows_each_viewer_only_the_hands_that_they_saw(
    table: Table, snapshots: list[bytes], kei: Somebody, ayumi: Somebody, gm: Somebody
) -> None:
    sit(table.session, kei.person, Role.SPECTATOR)
    module, shown = registry()[table.module], 0
    for version in range(0, MOVES + 1, 5):
        hands = {seat: set(hand.cards) for seat, hand in module.load(snapshots[version]).hands.items()}
        for who, own, view in (
            (kei, None, "spectator"),
            (ayumi, "p1", "spectator"),
            (ayumi, "p1", "own"),
            (gm, "gm", "own"),
        ):
            page = who.client.get(f"/t/{table.pk}/replay/?view={view}&version={version}").content.decode()
            mine = hands[own] if own and view == "own" else set()
            others = set().union(*hands.values()) - mine
            lines = re.search(r'(?s)<ol class="log replay-lines".*?</ol>', page)
            assert lines
            assert not cards_in(page) & others
            shown += len(mine)
    assert shown, "no hand was ever shown: this test could not have failed"


def test_a_replay_with_open_secrets_shows_every_hand(
    table: Table, snapshots: list[bytes], gm: Somebody
) -> None:
    version = next(
        n for n, raw in enumerate(snapshots) if all(h["cards"] for h in json.loads(raw)["hands"].values())
    )
    gm.client.cookies["django_language"] = "en"
    page = gm.client.get(f"/t/{table.pk}/replay/?view=open&version={version}").content.decode()
    for hand in json.loads(snapshots[version])["hands"].values():
        assert set(hand["cards"]) <= cards_in(page)
    names = re.findall(r'<section class="replay-hand" aria-label="(.*?)"', page)
    assert {"GM", "あゆみ", "ボー"} <= set(names)


def test_a_replay_page_has_no_buttons_for_moves(table: Table, snapshots: list[bytes], gm: Somebody) -> None:
    for version in (0, 7, MOVES):
        page = gm.client.get(f"/t/{table.pk}/replay/?view=open&version={version}").content.decode()
        main = page[page.index("<main") : page.index("</main>")]
        assert not re.search(r"data-move\b", main), "no move, though the verdict names its mover"
        assert re.findall(r"<form[^>]*>", main) == [
            f'<form class="replay-slide" action="/t/{table.pk}/replay/">'
        ]
        assert len(re.findall("<button", main)) == 2, "play by itself, and show"
        assert "hx-ws" not in page
        ids = re.findall(r'\bid="(.*?)"', page)
        assert len(ids) == len(set(ids))


def test_a_replay_with_an_invalid_version_shows_the_first_step(
    table: Table, snapshots: list[bytes], ayumi: Somebody
) -> None:
    for written in ("-1", "x", "", "９", "1e3", "9" * 400, "0x10", "%00", "1 OR 1"):
        answer = ayumi.client.get(f"/t/{table.pk}/replay/?version={written}")
        assert answer.status_code == 200, written
        assert 'data-version="0"' in answer.content.decode(), written


def test_a_replay_with_too_high_a_version_shows_the_last_step(
    table: Table, snapshots: list[bytes], ayumi: Somebody
) -> None:
    page = ayumi.client.get(f"/t/{table.pk}/replay/?version=999999999").content.decode()
    assert f'data-version="{MOVES}"' in page


def test_a_replay_step_has_the_log_lines_of_its_move(table: Table, snapshots: list[bytes]) -> None:
    reader = audience.open_perspective(table.session, table.session.seats.get(role=Role.GM), "open")
    step = replay_pages.step_at(table, reader, "12")
    assert [(step.previous, step.version, step.next)] == [(11, 12, 13)]
    assert len(step.lines) == len(log.move_lines(table, 12))


@pytest.mark.parametrize("key", registry())
def test_every_module_has_working_replay_report_and_proof_pages(key: str, gm: Somebody) -> None:
    """No step of a random game fails, for any seat and in both languages."""
    module = registry()[key]
    session = nights.open_session(campaign=Campaign.objects.create(gm=gm.person, name="x"), title="x")
    people = [
        Person.objects.create(name=f"人{n}")
        for n in range(min(module.seats.start + 1, module.seats.stop - 1))
    ]
    table = opening.open_table(session=session, module_key=key, players=[sit(session, one) for one in people])
    play_on(table, 40)
    nights.close_session(session=session)
    audience.open_secrets(session=session, is_open=True)
    table.refresh_from_db()
    for language, _ in settings.LANGUAGES:
        gm.client.cookies["django_language"] = language
        for version in range(0, table.version + 1, 6):
            answer = gm.client.get(f"/t/{table.pk}/replay/?view=open&version={version}")
            assert answer.status_code == 200
        for path in (f"/s/{session.pk}/report/", f"/s/{session.pk}/log/?view=open", f"/t/{table.pk}/verify/"):
            assert gm.client.get(path).status_code == 200


def below(secret: str, move: int, name: str, use: int) -> Callable[[int], int]:
    """The numbers of a fate, written from docs/formats.md and not from companion/fate.py."""
    counter = itertools.count()

    def number(n: int) -> int:
        while True:
            block = f"{name}/{use}/{next(counter)}".encode()
            drawn = int.from_bytes(hmac.digest(f"{secret}/{move}".encode(), block, hashlib.sha256)[:8], "big")
            if drawn < 2**64 - 2**64 % n:
                return drawn % n

    return number


PROOFS = ["/t/{}/verify/", "/t/{}/verify/facts/", "/t/{}/playthrough/", "/t/{}/log/"]


def test_the_facts_of_chance_are_hidden_while_the_secrets_are_closed(
    table: Table, snapshots: list[bytes], gm: Somebody, ayumi: Somebody, kei: Somebody
) -> None:
    def knows(who: Somebody) -> bool:
        pages = [who.client.get(path.format(table.pk)) for path in PROOFS]
        pages.append(who.client.get(f"/s/{table.session_id}/verify/"))
        drawn = [cards_in(page.content.decode()) for page in pages[1:3]]
        return any(drawn) or any(table.secret in page.content.decode() for page in pages)

    sit(table.session, kei.person, Role.SPECTATOR)
    assert [knows(who) for who in (gm, ayumi, kei)] == [True, False, False]
    page = ayumi.client.get(f"/t/{table.pk}/verify/").content.decode()
    assert table.commitment in page
    assert 'data-verdict="same"' in page
    audience.open_secrets(session=table.session, is_open=True)
    assert [knows(who) for who in (gm, ayumi, kei)] == [True, True, True]
    audience.open_secrets(session=table.session, is_open=False)
    assert [knows(who) for who in (gm, ayumi, kei)] == [True, False, False]


def test_the_facts_of_chance_suffice_to_recalculate_every_shuffle(
    table: Table, snapshots: list[bytes], ayumi: Somebody
) -> None:
    audience.open_secrets(session=table.session, is_open=True)
    facts = ayumi.client.get(f"/t/{table.pk}/verify/facts/").json()
    assert facts["fits"] is True
    assert hashlib.sha256(facts["secret"].encode()).hexdigest() == facts["commitment"] == table.commitment
    assert [(one["move"], one["name"]) for one in facts["drawn"][:2]] == [(0, "seating"), (0, "deck")]
    for one in facts["drawn"]:
        number, pile = below(facts["secret"], one["move"], one["name"], one["use"]), list(one["items"])
        for i in range(len(pile) - 1, 0, -1):
            j = number(i + 1)
            pile[i], pile[j] = pile[j], pile[i]
        assert pile == one["result"]


def test_the_parts_of_a_proof_together_have_every_fact_of_chance(
    table: Table, snapshots: list[bytes], ayumi: Somebody
) -> None:
    audience.open_secrets(session=table.session, is_open=True)
    address = f"/t/{table.pk}/verify/facts/"
    parts = [ayumi.client.get(f"{address}?part={part}").json() for part in (1, 2)]
    assert [(part["part"], part["parts"]) for part in parts] == [(1, 2), (2, 2)]
    told = [(one["move"], one["name"], one["use"]) for part in parts for one in part["drawn"]]
    assert told == [(move, one.name, one.use) for move, one in check_log(table).drawn]
    assert all(one["said"] for part in parts for one in part["drawn"])
    assert all(part["secret"] == table.secret for part in parts)


def test_a_proof_without_a_part_number_is_its_first_part(
    table: Table, snapshots: list[bytes], gm: Somebody
) -> None:
    address = f"/t/{table.pk}/verify/facts/"
    first = gm.client.get(address).json()
    assert first == gm.client.get(f"{address}?part=1").json()
    assert {one["move"] for one in first["drawn"]} <= set(range(SPAN + 1))


def test_an_unknown_part_of_a_proof_is_not_found(table: Table, snapshots: list[bytes], gm: Somebody) -> None:
    for part, path in itertools.product(
        ("0", "3", "-1", "x", "", "9" * 400), ("verify/", "verify/facts/", "verify/fits/")
    ):
        assert gm.client.get(f"/t/{table.pk}/{path}?part={part}").status_code == 404, (path, part)


def test_a_player_can_check_a_part_of_a_proof_while_secrets_are_closed(
    table: Table, snapshots: list[bytes], ayumi: Somebody
) -> None:
    def fits() -> list[bytes]:
        return [ayumi.client.get(f"/t/{table.pk}/verify/fits/?part={part}").content for part in (1, 2)]

    assert fits() == [b'{"fits":true}'] * 2
    page = ayumi.client.get(f"/t/{table.pk}/verify/").content.decode()
    assert f"全{MOVES}手のうち1〜{SPAN}手目" in page
    page = ayumi.client.get(f"/t/{table.pk}/verify/?part=2").content.decode()
    assert f"全{MOVES}手のうち{SPAN + 1}〜{MOVES}手目" in page
    Move.objects.filter(table=table, number=SPAN + 2).delete()
    assert fits() == [b'{"fits":true}', b'{"fits":false}']


def test_a_witnessed_fate_records_shuffles_and_rolls_unchanged() -> None:
    fate = WitnessedFate("s", 3)
    first, second, roll = fate.shuffle("deck", "abc"), fate.shuffle("deck", "abc"), fate.roll("die", 6)
    assert [(one.kind, one.name, one.use) for one in fate.drawn] == [
        ("shuffle", "deck", 0),
        ("shuffle", "deck", 1),
        ("roll", "die", 0),
    ]
    assert [one.result for one in fate.drawn] == [first, second, roll]
    assert roll == below("s", 3, "die", 0)(6) + 1
    first.reverse()
    assert fate.drawn[0].result == first[::-1], "what was written down is not the pile that is played with"


@pytest.mark.parametrize("harm", ["secret", "snapshot", "move", "seat", "missing"])
def test_a_tampered_log_fails_the_checks_of_the_proof_page(
    table: Table, snapshots: list[bytes], ayumi: Somebody, harm: str
) -> None:
    assert check_log(table).holds
    audience.open_secrets(session=table.session, is_open=True)
    some = table.moves.get(number=9)
    if harm == "secret":
        Table.objects.filter(pk=table.pk).update(secret="0" * 64)
    elif harm == "snapshot":
        Table.objects.filter(pk=table.pk).update(snapshot=snapshots[0])
    elif harm == "move":
        Move.objects.filter(pk=some.pk).update(move=b'{"type": "flip", "x": 1}')
    elif harm == "seat":
        Move.objects.filter(pk=some.pk).update(seat="p9")
    else:
        some.delete()
    parts = [ayumi.client.get(f"/t/{table.pk}/verify/facts/?part={part}").json() for part in (1, 2)]
    assert not all(part["fits"] for part in parts)
    for path in ("verify/", "log/", "replay/?version=20"):
        assert ayumi.client.get(f"/t/{table.pk}/{path}").status_code == 200
    assert ayumi.client.get(f"/s/{table.session_id}/verify/").status_code == 200


def test_a_table_page_shows_the_commitment_and_not_the_secret(table: Table, ayumi: Somebody) -> None:
    page = ayumi.client.get(table.get_absolute_url()).content.decode()
    assert f'data-commitment="{table.commitment}"' in page
    assert table.secret not in page


def test_a_shared_replay_needs_no_seat(table: Table, snapshots: list[bytes], kei: Somebody) -> None:
    audience.share_replays(session=table.session, is_shared=True)
    table.session.refresh_from_db()
    page = kei.client.get(f"/r/{table.session.replay_key}/{table.pk}/?version=3").content.decode()
    assert f'href="/r/{table.session.replay_key}/{table.pk}/?view=spectator&amp;version=4"' in page
    assert f"/t/{table.pk}/" not in page
    assert str(uuid.UUID(str(table.session.replay_key))) in page
