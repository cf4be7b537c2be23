"""Django's makemessages with the habits of this project: ``make messages``.

Catalogues carry no file names, no dates and no guesses, so that two people's changes merge and every Japanese
sentence was written by somebody who read the English one.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from django.core.management.commands import makemessages


class Command(makemessages.Command):
    msgmerge_options = [*makemessages.Command.msgmerge_options, "--no-fuzzy-matching"]

    def handle(self, *args: Any, **options: Any) -> None:
        options["locale"] = options["locale"] or ["ja"]
        options["ignore_patterns"] = [*options["ignore_patterns"], ".venv", "var", "tests", "docs"]
        options |= {"no_location": True, "no_wrap": True, "no_obsolete": True}
        super().handle(*args, **options)

    def write_po_file(self, potfile: str, locale: str) -> None:
        super().write_po_file(potfile, locale)
        name = f"{self.domain}.po"
        po = Path(potfile).parent / locale / "LC_MESSAGES" / name
        header, end, words = po.read_text(encoding="utf-8").partition("\n\n")
        header = re.sub(r'"(POT-Creation-Date|PO-Revision-Date|Generated-By): .*\n', "", header)
        header = header.replace('"Language: \\n"', f'"Language: {locale}\\n"')
        po.write_text(header + end + words, encoding="utf-8")
