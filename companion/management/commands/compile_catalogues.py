"""Compile changed translations: ``manage.py compile_catalogues``."""

from __future__ import annotations

import os
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext_noop
from django.utils.translation.reloader import translation_file_changed

from companion import games
from companion.wording.catalogues import catalogues, catalogues_outside, compile_catalogue


class Command(BaseCommand):
    help = gettext_noop("Compile every catalogue whose translations changed.")
    requires_system_checks: list[str] = []  # checks would load the catalogues before they exist

    def handle(self, *args: Any, **options: Any) -> None:
        root = settings.BASE_DIR
        for po in [*catalogues(root), *catalogues_outside(games.folders_named("locale"), root)]:
            try:
                written = compile_catalogue(po)
            except ValueError as problem:
                raise CommandError(str(problem)) from problem
            if written:
                # Django has loaded its catalogues already: on a fresh machine it must reload them.
                translation_file_changed(sender=None, file_path=po.with_suffix(".mo"))
                if options["verbosity"]:
                    self.stdout.write(f"compiled {os.path.relpath(po, settings.BASE_DIR)}")
