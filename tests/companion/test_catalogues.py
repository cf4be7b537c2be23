"""Translations compiled without gettext's tools, read by Django."""

from __future__ import annotations

import gettext
import os
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import translation

from companion.wording.catalogues import catalogues, compile_catalogue

PO = """
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

msgid "hand"
msgstr "手札"

msgctxt "of a clock"
msgid "hand"
msgstr "針"

#, fuzzy
msgid "deck"
msgstr "甲板"

msgid "table"
msgstr ""

#, python-format
msgid "%(n)s card"
msgid_plural "%(n)s cards"
msgstr[0] "札 %(n)s 枚"
msgstr[1] "札 %(n)s 枚組"

#~ msgid "old"
#~ msgstr "古い"
"""


@pytest.fixture
def po(tmp_path: Path) -> Path:
    path = tmp_path / "locale" / "de" / "LC_MESSAGES" / "django.po"
    path.parent.mkdir(parents=True)
    path.write_text(PO, encoding="utf-8")
    return path


@pytest.fixture
def words(po: Path) -> gettext.GNUTranslations:
    compile_catalogue(po)
    with po.with_suffix(".mo").open("rb") as mo:
        return gettext.GNUTranslations(mo)


def test_a_compiled_catalogue_has_words_contexts_and_plurals(words: gettext.GNUTranslations) -> None:
    assert words.gettext("hand") == "手札"
    assert words.pgettext("of a clock", "hand") == "針"
    assert words.ngettext("%(n)s card", "%(n)s cards", 1) == "札 %(n)s 枚"
    assert words.ngettext("%(n)s card", "%(n)s cards", 2) == "札 %(n)s 枚組"


def test_a_compiled_catalogue_omits_fuzzy_missing_and_obsolete_words(words: gettext.GNUTranslations) -> None:
    assert [words.gettext(word) for word in ("deck", "table", "old")] == ["deck", "table", "old"]


def test_django_reads_compiled_catalogues_with_their_plural_forms(po: Path, settings) -> None:
    compile_catalogue(po)
    settings.LOCALE_PATHS = [po.parents[2]]
    settings.LANGUAGES = [("de", "Deutsch")]
    translation.trans_real._translations.pop("de", None)
    try:
        with translation.override("de"):
            assert translation.gettext("hand") == "手札"
            assert translation.gettext("deck") == "deck"
            assert translation.ngettext("%(n)s card", "%(n)s cards", 2) % {"n": 2} == "札 2 枚組"
            assert translation.gettext("Monday") == "Montag", "Django's own words are still there"
    finally:
        translation.trans_real._translations.pop("de", None)


def test_only_changed_catalogues_are_compiled(po: Path) -> None:
    assert compile_catalogue(po)
    assert not compile_catalogue(po)
    later = po.with_suffix(".mo").stat().st_mtime + 10
    os.utime(po, (later, later))
    assert compile_catalogue(po)
    assert [path.name for path in po.parent.iterdir() if path.suffix not in (".po", ".mo")] == []


def test_a_broken_catalogue_stops_the_compilation(po: Path) -> None:
    po.write_text(
        PO + '\nmsgid "x"\nmsgid_plural "xs"\nmsgstr[0] "a"\nmsgstr[1] "b"\nmsgstr[2] "c"\n', encoding="utf-8"
    )
    with pytest.raises(ValueError, match=re.escape(str(po))):
        compile_catalogue(po)


def test_a_catalogue_with_more_plural_forms_than_its_header_is_broken(tmp_path: Path) -> None:
    po = tmp_path / "locale" / "ja" / "LC_MESSAGES" / "django.po"
    po.parent.mkdir(parents=True)
    po.write_text(PO.replace("nplurals=2; plural=(n != 1)", "nplurals=1; plural=0"), encoding="utf-8")
    with pytest.raises(ValueError, match=re.escape(str(po))):
        compile_catalogue(po)


def test_catalogues_of_other_packages_are_not_compiled() -> None:
    found = list(catalogues(settings.BASE_DIR))
    assert {path.parts[-5] for path in found} >= {"companion", "characters", "uroboros"}
    for path in found:
        assert path.is_relative_to(settings.BASE_DIR)
        assert "site-packages" not in path.parts
