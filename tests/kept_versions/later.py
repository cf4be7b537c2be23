"""What becomes of kept data in this version, in a process of its own.

``python -m tests.kept_versions.later STEP…`` takes these steps and prints what each answers: ``tell`` every
table of the campaign, ``play`` how many moves were played until the open evening was closed, ``pages`` the
status of each page; any other step is a management command with its words.
"""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import sys
from collections.abc import Callable

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "companion.settings")
django.setup()

from django.core.management import call_command  # noqa: E402
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
        for table in Table.objects.filter(session__campaign__name=CAMPAIGN).order_by(
            "session__campaign_id", "opened_at", "pk"
        )
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


def take(step: str) -> object:
    """Return the answer of a step; None for a management command, whose output goes to the errors."""
    name, *words = shlex.split(step)
    if name in ANSWERS:
        return ANSWERS[name]()
    call_command(name, *words, stdout=sys.stderr)
    return None


ANSWERS: dict[str, Callable[[], object]] = {"tell": tell, "play": play, "pages": pages}

if __name__ == "__main__":
    print(json.dumps([take(step) for step in sys.argv[1:]]))
