"""``manage.py playthrough``: run a scripted game or random games, without a database."""

from __future__ import annotations

import sys
from time import perf_counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext_noop

from sessions.engine import playthrough
from sessions.engine.bots import play_games
from sessions.engine.registry import registry
from sessions.engine.step import encode
from sessions.game import BadTable


class Command(BaseCommand):
    help = gettext_noop(
        "Run the scripted game FILE.json, or random games of a module, and print one JSON object a line."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", nargs="?", metavar="FILE.json")
        parser.add_argument("--random", metavar="MODULE", choices=sorted(registry()))
        parser.add_argument("--seats", type=int, help="number of players, a gm not counted")
        parser.add_argument("--games", type=int, default=1)
        parser.add_argument("--seed", default="")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run the game or games; exit with status 1 or 2 where ``playthrough.main`` returns it."""
        if (options["file"] is None) == (options["random"] is None):
            raise CommandError("Give either FILE.json or --random MODULE.", returncode=playthrough.UNREADABLE)
        if options["random"]:
            return self._random(options)
        status = playthrough.main(options["file"], self._write, self.stderr.write)
        if status != playthrough.AS_SCRIPTED:
            sys.exit(status)
        return None

    def _random(self, options: dict[str, Any]) -> None:
        module = registry()[options["random"]]
        players = module.seats.start if options["seats"] is None else options["seats"]
        if options["games"] < 1:
            raise CommandError("--games must be 1 or more.", returncode=playthrough.UNREADABLE)
        try:
            tally = play_games(module, players, options["games"], options["seed"], perf_counter)
        except BadTable as problem:
            raise CommandError(str(problem), returncode=playthrough.UNREADABLE) from None
        self._write(encode(tally).decode() + "\n")

    def _write(self, line: str) -> None:
        self.stdout.write(line, ending="")
