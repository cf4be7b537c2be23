"""Django's makemessages with this project's conventions: ``make messages``.

Catalogues have no file names, dates or fuzzy entries, so that parallel changes merge and every translation
was written for its exact source. A partly translated language lists only translated messages, so that a new
message does not change its catalogue.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from babel.messages.plurals import get_plural
from django.conf import settings
from django.core.management.commands import makemessages
from jinja2.ext import GETTEXT_FUNCTIONS, babel_extract

HEADER = """\
msgid ""
msgstr ""
"Project-Id-Version: Takujō\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"""
IGNORED = (".venv", "var", "tests", "docs", "starter*")


class SourceFile(makemessages.BuildFile):
    """A source file for xgettext. A Jinja template is converted to the gettext calls that Babel finds."""

    def preprocess(self) -> None:
        if not self.path.endswith(".jinja"):
            super().preprocess()
            return
        calls = []
        with Path(self.path).open("rb") as source:
            found = babel_extract(source, GETTEXT_FUNCTIONS, [], {"trimmed": "true", "silent": "false"})
            for _line, function, words, _comments in found:
                # The string arguments of a template's call, without its variables.
                every = [words] if isinstance(words, str) else words or ()
                given = ", ".join(repr(word) for word in every if word is not None)
                calls.append(f"{function}({given}{', 0' * function.startswith('n')})")
        Path(self.work_path).write_text("\n".join(calls), encoding="utf-8")


class Command(makemessages.Command):
    build_file_class = SourceFile
    msgmerge_options = [*makemessages.Command.msgmerge_options, "--no-fuzzy-matching"]

    def handle(self, *args: Any, **options: Any) -> None:
        options["locale"] = options["locale"] or [
            language for language, _ in settings.LANGUAGES if language != settings.SOURCE_LANGUAGE
        ]
        options["ignore_patterns"] = [*options["ignore_patterns"], *IGNORED]
        options["extensions"] = options["extensions"] or ["html", "txt", "py", "jinja"]
        options |= {"no_location": True, "no_wrap": True, "no_obsolete": True}
        super().handle(*args, **options)

    def write_po_file(self, potfile: str, locale: str) -> None:
        po = Path(potfile).parent / locale / "LC_MESSAGES" / f"{self.domain}.po"
        # Without a header that declares the number of plural forms, gettext assumes two.
        if not po.exists():
            po.parent.mkdir(parents=True, exist_ok=True)
            po.write_text(HEADER, encoding="utf-8")
        self._tidy_header(po, locale)
        only = ["--translated", "--force-po"] if locale in settings.PARTLY_TRANSLATED else []
        usual = self.msgattrib_options
        # Sort by message: the order of the source files differs between machines.
        self.msgattrib_options = [*usual, "--sort-output", *only]
        super().write_po_file(potfile, locale)
        self.msgattrib_options = usual
        self._tidy_header(po, locale)

    @staticmethod
    def _tidy_header(po: Path, locale: str) -> None:
        header, end, words = po.read_text(encoding="utf-8").partition("\n\n")
        header = re.sub(r'\n"(POT-Creation-Date|PO-Revision-Date|Generated-By|Language): .*', "", header)
        header += f'\n"Language: {locale}\\n"'
        if "Plural-Forms:" not in header:
            header += f'\n"Plural-Forms: {get_plural(locale).plural_forms}\\n"'
        po.write_text(header + end + words, encoding="utf-8")
