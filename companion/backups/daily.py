"""Backups of a server that nobody set a timer for: one with SQLite makes them itself, a day apart."""

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

#: Seconds between two looks, and how old a backup is when the next one is made.
EVERY = 600
DUE = timedelta(days=1)


def makes_them() -> bool:
    """True if this server makes its backups: with another database several processes would make them all."""
    return connection.vendor == "sqlite"


def chores() -> list[str]:
    """Return the commands that are due."""
    newest = kept.newest()
    if not makes_them() or (newest and timezone.now() - newest.made_at < DUE):
        return []
    return ["backup", *(["thin_nights"] if settings.KEEP_NIGHTS_DAYS else [])]


async def look() -> None:
    """Do what is due, in processes of their own: no phone waits, and their memory goes with them."""
    for command in chores():
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
