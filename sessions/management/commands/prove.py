"""Replay the log of every table, and check that it leads to the state that the table shows."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from companion.models import Person
from companion.server import environment
from sessions.models import Move, Session, Table
from sessions.table import replay


class Command(BaseCommand):
    help = gettext_noop(
        "Play every table again from its log, and say whether it comes to what the table shows."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        with translation.override(environment.terminal_language()):
            changed = [
                f"{table.session.name} ({table})"
                for table in Table.objects.filter(told=None).select_related("session").iterator(32)
                if table.has_its_game and not replay.check_log(table).holds
            ]
            if changed:
                raise CommandError(
                    _("What these tables show does not follow from their moves: %(tables)s")
                    % {"tables": ", ".join(changed)}
                )
            counted = {
                "people": Person.objects.count(),
                "evenings": Session.objects.count(),
                "tables": Table.objects.count(),
                "moves": Move.objects.count(),
            }
            self.stdout.write(
                _(
                    "People: %(people)d. Evenings: %(evenings)d. Tables: %(tables)d. Moves: %(moves)d. "
                    "Played again, every table comes to what it shows."
                )
                % counted
            )
