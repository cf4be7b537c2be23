"""What becomes of kept data in this version, in a process of its own.

``python -m tests.kept_versions.later WHAT``: ``tell`` prints every table of the campaign, ``play`` plays
those that go on and closes their evening, and ``pages`` prints what each page of them answers.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "companion.settings")
django.setup()

from django.test import Client  # noqa: E402

from companion.models import User  # noqa: E402
from sessions.engine.registry import registry  # noqa: E402
from sessions.engine.step import comparable_snapshot  # noqa: E402
from sessions.evening import nights  # noqa: E402
from sessions.models import Session, Table  # noqa: E402
from sessions.table import replay  # noqa: E402
from tests.kept_versions.data import CAMPAIGN, play_on  # noqa: E402

OF_A_NIGHT = ("", "report/", "log/?view=open", "verify/", "log/file/?format=json")
OF_A_TABLE = ("", "log/", "replay/?view=open&version=3", "verify/", "playthrough/")


def tell() -> list[list[object]]:
    """Return of each table evening, game, moves, whether its log proves it, and a fingerprint of its end."""
    return [
        [
            table.session.title,
            table.module,
            table.version,
            replay.check_log(table).holds,
            hashlib.sha256(comparable_snapshot(registry()[table.module], bytes(table.snapshot))).hexdigest(),
        ]
        for table in Table.objects.filter(session__campaign__name=CAMPAIGN).order_by("opened_at", "pk")
    ]


def play() -> int:
    """Return how many moves were played on."""
    played = sum(map(play_on, Table.objects.filter(ended_at=None)))
    for night in Session.objects.filter(campaign__name=CAMPAIGN, ended_at=None):
        nights.close_session(session=night)
    return played


def pages() -> dict[str, int]:
    """Return by its address what each page answers the GM."""
    client = Client()
    client.force_login(User.objects.get(username="gm"))
    night_pages = [f"/s/{pk}/{page}" for pk in _numbers(Session) for page in OF_A_NIGHT]
    table_pages = [f"/t/{pk}/{page}" for pk in _numbers(Table) for page in OF_A_TABLE]
    return {path: client.get(path).status_code for path in [*night_pages, *table_pages]}


def _numbers(kind: type[Session] | type[Table]) -> list[int]:
    return list(kind.objects.exclude(ended_at=None).values_list("pk", flat=True))


if __name__ == "__main__":
    print(json.dumps({"tell": tell, "play": play, "pages": pages}[sys.argv[1]]()))
