"""A server's data from outside, in a process of its own.

``python -m tests.keeping play`` plays at one table without end, and prints the number of each acknowledged
move; ``python -m tests.keeping count`` prints by table how many moves there are, and whether it plays again.
"""

from __future__ import annotations

import json
import os
import sys
from itertools import count

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
django.setup()

from companion.models import Person  # noqa: E402
from sessions.evening import nights  # noqa: E402
from sessions.models import Campaign, Table  # noqa: E402
from sessions.table import opening, replay  # noqa: E402
from tests.evening import play, sit  # noqa: E402


def play_on() -> None:
    campaign = Campaign.objects.create(gm=Person.objects.create(name="GM"), name="無限の蛇")
    session = nights.open_session(campaign=campaign, title="第一夜")
    seats = [sit(session, Person.objects.create(name=name)) for name in ("あゆみ", "ボー")]
    table = opening.open_table(session=session, module_key="uroboros", players=seats)
    for number in count():
        said = json.dumps({"type": "declare", "text": f"宣言 {number}"}).encode()
        print(play(table, f"p{1 + number % 2}", said).version, flush=True)


def found() -> dict[str, list[int | bool]]:
    return {
        f"{table.pk}": [table.version, table.moves.count(), replay.check_log(table).holds]
        for table in Table.objects.all()
    }


if __name__ == "__main__":
    if sys.argv[1] == "play":
        play_on()
    print(json.dumps(found()))
