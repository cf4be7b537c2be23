"""The list of commands for ``takujo help``: ours, and the few of Django's that a host needs."""

from __future__ import annotations

from django.core.management import get_commands, load_command_class
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from companion.server import terminal

#: The commands that are listed first, and those that only authors need (a wheel has no startmodule). Our
#: other commands are listed between them.
FIRST = ["play", "doctor"]
FOR_AUTHORS = [
    *("startgame", "startmodule", "bench", "playthrough", "lab"),
    *("makemessages", "compile_catalogues"),
]
#: Our descriptions of Django's commands.
OF_DJANGO = {
    "migrate": gettext_noop("Bring the database up to date with this version; at home, play does it."),
    "createsuperuser": gettext_noop("Make an account that runs evenings and sees the admin: a hosted GM’s."),
    "changepassword": gettext_noop("Give an account a new password when its own is forgotten."),
    "makemessages": gettext_noop("Write new words of the sources into the catalogues."),
}
OUR_APPS = {"companion", "sessions"}


def overview(program: str) -> str:
    """Return the list in the terminal's language.

    :param program: the name of the program: takujo, or manage.py.
    """
    apps = get_commands()
    ours = sorted(name for name, app in apps.items() if app in OUR_APPS)
    between = [name for name in ours if name not in [*FIRST, *FOR_AUTHORS, *OF_DJANGO]]
    for_hosts = [*FIRST, *between, *(name for name in OF_DJANGO if name not in FOR_AUTHORS)]

    def line(name: str) -> str:
        about = _(OF_DJANGO.get(name) or str(load_command_class(apps[name], name).help))
        return f"  {name:20}{about}"

    with translation.override(terminal.terminal_language()):
        return "\n".join(
            [
                _("Commands for an evening and for a host:"),
                *map(line, for_hosts),
                "",
                _("For authors of games and for developers:"),
                *(line(name) for name in FOR_AUTHORS if name in apps),
                "",
                _("%(command)s help NAME tells all about one of them.") % {"command": program},
            ]
        )
