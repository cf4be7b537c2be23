"""The evening everybody starts with.

``manage.py play`` runs this once, when the database is new; running it again adds nothing twice. An evening
is a list of small functions, each of which lays out one thing, finds what the ones before it laid out, and
leaves alone what is there already.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction

from companion import gm_link


def gm() -> None:
    """The GM's account and name."""
    gm_link.home_gm()


#: In this order.
EVENING: list[Callable[[], object]] = [gm]


class Command(BaseCommand):
    help = "Lay out the evening everybody starts with; what is there already stays as it is."

    def handle(self, *args: Any, **options: Any) -> None:
        # All or nothing: an interrupted first start begins anew.
        with transaction.atomic():
            for lay_out in EVENING:
                lay_out()
