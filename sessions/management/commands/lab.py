"""``manage.py lab``: bots play a game against each other, and one page shows the results."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import msgspec
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from companion.server.environment import terminal_language
from sessions.engine import bots
from sessions.engine.registry import registry
from sessions.game import AnyModule, BadTable
from sessions.lab import plots
from sessions.lab.games import RunConfig, open_lab_game, run
from sessions.lab.page import page

BAR = 30


class Command(BaseCommand):
    help = gettext_noop(
        "Let bots play many games of one kind against each other, and write a page about them."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("key", metavar="KEY", help="the game: " + ", ".join(sorted(registry())))
        parser.add_argument("--games", type=int, default=1000, metavar="N")
        parser.add_argument(
            "--players", type=int, metavar="N", help="a gm not counted; a middling number if not said"
        )
        parser.add_argument("--bots", metavar="KIND,…", help="strong, plain, random; they go round the seats")
        parser.add_argument("--seed", default="lab", metavar="TEXT", help="the same text gives the same page")
        parser.add_argument(
            "--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the table"
        )
        parser.add_argument(
            "--compare",
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help="play again with this and put both side by side",
        )
        parser.add_argument(
            "--own-openings", action="store_true", help="let bots choose what they play with, not chance"
        )
        parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, metavar="N")
        parser.add_argument(
            "--language", choices=[code for code, name in settings.LANGUAGES], default=terminal_language()
        )
        parser.add_argument("--output", type=Path, metavar="FILE", help="the page; lab-KEY.html if not said")

    def handle(self, *args: Any, **options: Any) -> None:
        """Play the games and write the page.

        :raises CommandError: an argument does not fit, the library for plots is missing, or the page cannot
            be written.
        """
        with translation.override(options["language"]):
            try:
                plots.check()
            except plots.Missing:
                raise CommandError(
                    _("The lab draws with matplotlib: pip install 'takujo[lab]', or make setup-dev.")
                ) from None
            module, compared = _settings(options)
            games = [run(module, one, options["processes"], self._progress_bar(one)) for one in compared]
            if not settings.STATIC_ROOT.exists():
                # Log lines contain icons, and the hashed names of these files exist only after collectstatic.
                call_command("collectstatic", verbosity=0, interactive=False)
            path = options["output"] or Path(f"lab-{module.key}.html")
            try:
                path.write_text(page(module, compared, games, options["language"]), "utf-8")
            except OSError as problem:
                raise CommandError(str(problem)) from None
            self.stdout.write(str(path))

    def _progress_bar(self, setting: RunConfig) -> Any:
        """Return a callback that writes a progress bar, or nothing if stderr is no terminal."""

        def told(done: int) -> None:
            filled = BAR * done // setting.games
            ending = "\n" if done == setting.games else ""
            self.stderr.write(f"\r{'█' * filled}{'·' * (BAR - filled)} {done}/{setting.games}", ending=ending)
            self.stderr.flush()

        return told if self.stderr.isatty() else lambda done: None


def _settings(options: dict[str, Any]) -> tuple[AnyModule, list[RunConfig]]:
    """Return the game, and the settings of its run or of the two runs to compare.

    :raises CommandError: there is no such game, or an argument does not fit it.
    """
    module = registry().get(options["key"])
    if module is None:
        raise CommandError(_("There is no game %(key)s.") % {"key": options["key"]})
    if options["games"] < 1 or options["processes"] < 1:
        raise CommandError(_("--games and --processes must be 1 or more."))
    setting = RunConfig(
        key=module.key,
        players=options["players"] or module.seats[len(module.seats) // 2],
        bots=_bots(module, options["bots"]),
        games=options["games"],
        seed=options["seed"],
        options=_parse_options(options["option"]),
        openings=not options["own_openings"],
    )
    settings = [setting]
    if options["compare"]:
        settings.append(setting.with_options(_parse_options(options["compare"])))
    for one in settings:
        try:
            open_lab_game(module, one, 1)
        except BadTable as problem:
            raise CommandError(str(problem)) from None
    return module, settings


def _bots(module: AnyModule, given: str | None) -> tuple[str, ...]:
    if given is None:
        return (bots.default_kind(module),)
    names = [bots.STEADY if name == "plain" else name for name in given.split(",")]
    known = [*bots.kinds(module), bots.RANDOM]
    for name in names:
        if name not in known:
            raise CommandError(_("This game has no bot %(name)s.") % {"name": name})
    return tuple(names)


def _parse_options(given: list[str]) -> dict[str, Any]:
    """Return options by name; a value is JSON where it can be, else a word.

    :raises CommandError: an option is not NAME=VALUE.
    """
    found = {}
    for one in given:
        name, equals, value = one.partition("=")
        if not equals:
            raise CommandError(_("An option is NAME=VALUE: %(given)s") % {"given": one})
        try:
            found[name] = msgspec.json.decode(value)
        except msgspec.DecodeError:
            found[name] = value
    return found
