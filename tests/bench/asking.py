"""Asks tables with short and long logs the same questions; runs where Django is set up."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from itertools import islice
from time import process_time
from typing import Any

from django.test import Client

from companion.identity.people import COOKIE, token
from companion.models import Person
from sessions.engine.registry import registry
from sessions.engine.step import encode
from sessions.evening import nights
from sessions.live import regions
from sessions.models import Campaign, Role, Table
from sessions.table import moves, replay, seat_view, table_cache
from sessions.table.opening import open_table
from tests.bench import scripts
from tests.bench.lay_out import advance, deal, sit
from tests.bench.wanted import READ

TURNS = 6
#: Each turn takes back at a table of its own. A long one is so much longer than the one before, and so at
#: another distance from a milestone.
LONGER = 6
#: After so many moves the GM takes the last few back.
TAKEN_BACK, BACK_BY = 25, 5


def ask() -> None:
    """Print seconds and bytes by question, of each a list a length with a value a turn."""
    desks = [Desk(length) for length in READ]
    seconds: dict[str, list[list[float]]] = {}
    sizes: dict[str, list[list[float]]] = {}
    for turn in range(-1, TURNS):
        for number, desk in enumerate(desks):
            desk.begin(turn)
            for name, question in desk.questions.items():
                desk.prepare(name)
                regions.clear_log_pieces()
                began = process_time()
                size = question()
                took = process_time() - began
                if turn >= 0:  # the first time does not count
                    seconds.setdefault(name, [[] for _ in READ])[number].append(took)
                    if size:
                        sizes.setdefault(name, [[] for _ in READ])[number].append(size)
            if turn >= 0:
                seconds.setdefault("an undo while it has the lock", [[] for _ in READ])[number].append(
                    desk.locked
                )
    print(json.dumps([seconds, sizes]))


class Desk:
    """The GM's desk of evenings that run and of one that has ended, each with a log of some length."""

    def __init__(self, length: int) -> None:
        self.length = length
        self.gm = Person.objects.create(name="GM")
        self.client = Client()
        self.client.cookies[COOKIE] = token(self.gm)
        self.running, self.ended = self._table(length), self._table(length)
        nights.close_session(session=self.ended.session)
        self.ended = Table.objects.get(pk=self.ended.pk)
        self.locked = 0.0

    def begin(self, turn: int) -> None:
        self.played = self._table(self.length + (LONGER * max(turn, 0) if self.length > READ[0] else 0))

    def _table(self, length: int) -> Table:
        campaign = Campaign.objects.create(gm=self.gm, name="benchmark")
        session = nights.open_session(campaign=campaign, title="reading")
        players = [sit(session, f"player {n}", Role.PLAYER) for n in (1, 2)]
        table = open_table(session=session, module_key="uroboros", players=players)
        deal(table, f"a log of {length}")
        script = scripts.usual(len(players))
        while (room := length - table.version) >= BACK_BY:
            # Five moves belong together: what is called for is also played.
            count = min(TAKEN_BACK, room // BACK_BY * BACK_BY)
            advance(table, registry()[table.module], islice(script, count))
            if table.version < length:
                table_cache.invalidate_table()
                to = table.version - BACK_BY
                moves.rewind(table_pk=table.pk, to=to, reason="", version=table.version)
                table = Table.objects.get(pk=table.pk)
        table_cache.invalidate_table()
        return table

    @property
    def questions(self) -> dict[str, Callable[[], int]]:
        """Return what is asked, by name; the answer is the size of a page, 0 where there is none."""
        table, ended = f"/t/{self.running.pk}", f"/t/{self.ended.pk}"
        last = self.ended.version
        return {
            "the table's log": lambda: self._page(f"{table}/log/"),
            "its first page": lambda: self._page(f"{table}/log/?from=start"),
            "the night's log": lambda: self._page(f"/s/{self.running.session_id}/log/"),
            "an undo": self._undo,
            "a rewind by five moves": self._rewind,
            "the question before it": lambda: self._page(
                f"/t/{self.played.pk}/rewind/{self._newest(BACK_BY)}/"
            ),
            "the replay's last step": lambda: self._page(f"{ended}/replay/?version={last}"),
            "the proof": lambda: self._page(f"{ended}/verify/"),
            "its last part": lambda: self._page(f"{ended}/verify/?part={replay.count_parts(self.ended)}"),
        }

    def _page(self, address: str) -> int:
        answer = self.client.get(address)
        assert answer.status_code == 200, address
        return len(answer.content)

    def prepare(self, question: str) -> None:
        """Play what is to be taken back."""
        if question == "an undo":
            self._play("p1", {"type": "declare", "text": "I look behind the door"})
        elif question == "a rewind by five moves":
            for seat, move in islice(scripts.usual(2), BACK_BY):
                self._play(seat, move)

    def _undo(self) -> int:
        began, true = [0.0], moves.lock_table

        def noted(table_pk: int) -> Table:
            began[0] = process_time()
            return true(table_pk)

        moves.lock_table = noted  # type: ignore[attr-defined]
        try:
            self._play("p1", {"type": "undo"})
        finally:
            moves.lock_table = true  # type: ignore[attr-defined]
        self.locked = process_time() - began[0]
        return 0

    def _rewind(self) -> int:
        self._play("gm", {"type": "rewind", "to": self._newest(BACK_BY)})
        return 0

    def _newest(self, after: int) -> int:
        """Return the move that stands this number of moves before the newest one."""
        table = Table.objects.get(pk=self.played.pk)
        return next(islice(replay.move_history(table, table.version).standing(), after, None))

    def _play(self, seat: str, move: dict[str, Any]) -> None:
        table = Table.objects.get(pk=self.played.pk)
        moves.submit(
            table.pk,
            moves.MoveRequest(
                seat=seat,
                client_id=uuid.uuid4(),
                raw=encode(move),
                version=table.version,
                asked=seat_view.seat_view(table, seat).asked,
            ),
        )
