"""Daily backups without a timer: a server with SQLite makes them itself, a day apart."""

from __future__ import annotations

import asyncio
import logging
import subprocess
from datetime import timedelta

from django.conf import settings
from django.db import connection
from django.utils import timezone

from companion.backups import kept
from companion.server.restarting import this_program

logger = logging.getLogger(__name__)

#: Seconds between two checks, and the age of the newest backup at which the next one is made.
EVERY = 600
DUE = timedelta(days=1)


def makes_backups() -> bool:
    """True if this server makes its own backups. With PostgreSQL, each of its processes would make them."""
    return connection.vendor == "sqlite"


def due_commands() -> list[str]:
    """Return the management commands that are due."""
    newest = kept.newest_backup()
    if not makes_backups() or (newest and timezone.now() - newest.made_at < DUE):
        return []
    return ["backup", *(["thin_nights"] if settings.KEEP_NIGHTS_DAYS else [])]


async def run_due_commands() -> None:
    """Run the commands that are due, each in its own process: it blocks no request and frees its memory."""
    for command in due_commands():
        done = await asyncio.to_thread(
            subprocess.run,
            [*this_program(), command],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            logger.warning("%s: %s", command, done.stderr.strip())
            return
