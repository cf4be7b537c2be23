"""Django's makemessages with the habits of this project: ``make messages``.

Catalogues carry no file names, no dates and no guesses, so that two people's changes merge and every Japanese
sentence was written by somebody who read the English one.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from babel.messages.plurals import get_plural
from django.core.management.commands import makemessages


class Command(makemessages.Command):
    msgmerge_options = [*makemessages.Command.msgmerge_options, "--no-fuzzy-matching"]

    def handle(self, *args: Any, **options: Any) -> None:
        options["locale"] = options["locale"] or ["ja"]
        options["ignore_patterns"] = [*options["ignore_patterns"], ".venv", "var", "tests", "docs"]
        options |= {"no_location": True, "no_wrap": True, "no_obsolete": True}
        super().handle(*args, **options)

    def write_po_file(self, potfile: str, locale: str) -> None:
        po = Path(potfile).parent / locale / "LC_MESSAGES" / f"{self.domain}.po"
        if po.exists():  # msgmerge takes two plural forms for granted if the header does not say how many
            self._tidy_header(po, locale)
        super().write_po_file(potfile, locale)
        self._tidy_header(po, locale)

    @staticmethod
    def _tidy_header(po: Path, locale: str) -> None:
        header, end, words = po.read_text(encoding="utf-8").partition("\n\n")
        header = re.sub(r'\n"(POT-Creation-Date|PO-Revision-Date|Generated-By|Language): .*', "", header)
        header += f'\n"Language: {locale}\\n"'
        if "Plural-Forms:" not in header:
            header += f'\n"Plural-Forms: {get_plural(locale).plural_forms}\\n"'
        po.write_text(header + end + words, encoding="utf-8")
