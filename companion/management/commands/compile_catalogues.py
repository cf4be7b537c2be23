"""Compile translations without gettext's tools, so that Python is all a machine needs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import PoFileError, read_po
from django.apps import apps
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation.reloader import translation_file_changed


def catalogues() -> Iterator[Path]:
    """Yield every .po file of the product: shared, of its apps and of its games."""
    # Django's own apps come compiled; they may lie under BASE_DIR too, in .venv.
    own_apps = [
        Path(app.path) for app in apps.get_app_configs() if Path(app.path).parent == settings.BASE_DIR
    ]
    folders = {Path(folder) for folder in settings.LOCALE_PATHS} | {app / "locale" for app in own_apps}
    for folder in sorted(folders):
        yield from sorted(folder.glob("*/LC_MESSAGES/*.po"))


def compile_catalogue(po: Path) -> bool:
    """Write the .mo beside a .po unless it is newer. True if it was written.

    :raises CommandError: the catalogue is broken; the text says which one and where.
    """
    mo = po.with_suffix(".mo")
    if mo.exists() and mo.stat().st_mtime_ns > po.stat().st_mtime_ns:
        return False
    with po.open("rb") as source:
        # A broken catalogue stops here instead of showing half of its words.
        try:
            catalogue = read_po(source, locale=po.parts[-3], abort_invalid=True)
        except (PoFileError, ValueError) as problem:
            raise CommandError(f"{po}: {problem}") from problem
    # Another test worker or a running server may read meanwhile, and must never see half a file.
    half = mo.with_suffix(f".{id(catalogue)}.half")
    with half.open("wb") as target:
        write_mo(target, catalogue)
    half.replace(mo)
    return True


class Command(BaseCommand):
    help = "Compile every catalogue whose translations changed."
    requires_system_checks: list[str] = []  # checks would load the catalogues that are not there yet

    def handle(self, *args: Any, **options: Any) -> None:
        for po in catalogues():
            if compile_catalogue(po):
                # Django has read its languages by now: on a fresh machine it must read them again.
                translation_file_changed(sender=None, file_path=po.with_suffix(".mo"))
                if options["verbosity"]:
                    self.stdout.write(f"compiled {po.relative_to(settings.BASE_DIR)}")
