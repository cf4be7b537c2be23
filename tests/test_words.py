"""Every word that people see is extracted and translated, and no catalogue is stale."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from django.conf import settings

from companion.wording.catalogues import catalogues
from tests import words
from tests.servers import program

ROOT = settings.BASE_DIR
#: Those of the product, and those of the games that startmodule writes.
STARTERS = ROOT.glob("sessions/management/starter*/locale/ja/LC_MESSAGES/django.po")
ALL = sorted([*catalogues(ROOT), *STARTERS])
CATALOGUES = [path for path in ALL if path.parts[-3] in words.COMPLETE]


def read(path: Path) -> Catalog:
    with path.open("rb") as po:
        return read_po(po, locale=path.parts[-3])


def messages(catalogue: Catalog) -> dict[tuple[str | None, str], tuple[str, ...]]:
    """Return context and words of a catalogue, with their translations."""
    return {
        (m.context, m.id if isinstance(m.id, str) else m.id[0]): (m.string,)
        if isinstance(m.string, str)
        else m.string
        for m in catalogue
        if m.id
    }


@pytest.fixture(scope="session")
def extracted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project whose catalogues were made again from its sources."""
    program("xgettext")
    program("msgmerge")
    copy = tmp_path_factory.mktemp("words") / "takujo"
    copy.mkdir()
    shutil.copy(ROOT / "manage.py", copy)
    for folder in ("companion", "characters", "sessions", "templates", "static"):
        if (ROOT / folder).exists():
            shutil.copytree(
                ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__", "*.mo", "vendor")
            )
    environment = {
        key: value for key, value in os.environ.items() if key not in ("DJANGO_SETTINGS_MODULE", "PYTHONPATH")
    }
    done = subprocess.run(
        [sys.executable, "manage.py", "makemessages"],
        cwd=copy,
        env={**environment, "TAKUJO_VAR": str(copy / "var")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return copy


def test_catalogues_exist() -> None:
    assert CATALOGUES


@pytest.mark.parametrize("path", ALL, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_catalogue_matches_the_words_in_the_sources(path: Path, extracted: Path) -> None:
    made = extracted / path.relative_to(ROOT)
    assert path.read_text().splitlines() == made.read_text().splitlines(), "run: make messages"


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_catalogue_has_no_missing_fuzzy_or_obsolete_words(path: Path) -> None:
    catalogue = read(path)
    assert [words for (_, words), strings in messages(catalogue).items() if not all(strings)] == []
    assert [m.id for m in catalogue if m.id and m.fuzzy] == []
    assert list(catalogue.obsolete) == []


@pytest.mark.parametrize("path", ALL, ids=lambda path: str(path.relative_to(ROOT)))
def test_translations_keep_their_placeholders(path: Path) -> None:
    assert [str(error) for m, errors in read(path).check() for error in errors] == []


def test_no_two_catalogues_translate_the_same_words_differently() -> None:
    """They are one at run time, and either could win. A context keeps words apart."""
    said: dict[Any, dict[tuple[str, ...], list[str]]] = {}
    for path in ALL:
        for words_, strings in messages(read(path)).items():
            said.setdefault((path.parts[-3], words_), {}).setdefault(strings, []).append(
                str(path.relative_to(ROOT))
            )
    assert {words_: strings for words_, strings in said.items() if len(strings) > 1} == {}


def test_all_extracted_words_have_a_catalogue(extracted: Path) -> None:
    made = {path.relative_to(extracted) for path in extracted.glob("**/locale/ja/LC_MESSAGES/django.po")}
    assert made == {path.relative_to(ROOT) for path in CATALOGUES}


#: Shown when anything may have failed, translation too: it says everything in both languages.
BILINGUAL = ROOT / "templates" / "500.html"
TEMPLATES = [path for path in words.templates(ROOT) if path != BILINGUAL]


def test_no_template_contains_untranslated_words() -> None:
    found = {path: words.untranslated(path.read_text(encoding="utf-8")) for path in TEMPLATES}
    assert {path: held for path, held in found.items() if held} == {}


def test_a_comment_of_a_template_ends_on_its_line() -> None:
    """Django shows any other to everybody; Jinja does not."""
    djangos = [path for path in TEMPLATES if path.suffix != ".jinja"]
    lines = [(path, line) for path in djangos for line in path.read_text(encoding="utf-8").splitlines()]
    assert [(path, line) for path, line in lines if line.count("{#") != line.count("#}")] == []


def test_the_static_error_page_is_in_both_languages() -> None:
    page = BILINGUAL.read_text(encoding="utf-8")
    assert '<html lang="ja"' in page
    assert 'lang="en"' in page


def test_every_translation_call_can_be_extracted() -> None:
    sources = [
        path for app in ("companion", "characters", "sessions") for path in (ROOT / app).glob("**/*.py")
    ]
    found = {str(path): list(words.out_of_reach(path.read_text(encoding="utf-8"))) for path in sources}
    assert {path: hits for path, hits in found.items() if hits} == {}


@pytest.mark.parametrize(
    ("template", "hits"),
    [
        ("<p>手札</p>", [(1, "手札")]),
        ("\n<p>Hand</p>", [(2, "Hand")]),
        ('<img alt="A card">', [(1, "A card")]),
        ('<input placeholder="名前">', [(1, "名前")]),
        ('<input type="submit" value="Go">', [(1, "Go")]),
        ('<button aria-label="閉じる">×</button>', [(1, "閉じる")]),
        ("{% if x %}Yes{% else %}{% trans 'No' %}{% endif %}", [(1, "Yes")]),
        ('{{ name|default:"だれか" }}', [(1, "だれか")]),
        ('{% include "part.html" with label="Your hand" %}', [(1, "Your hand")]),
        ("{% blocktrans %}Hand{% endblocktrans %}\n\nText", [(1, "Text")]),
        ("{# Words #}{% comment %}Words{% endcomment %}<!-- Words -->", []),
        ("{% blocktrans with n=cards|length %}Your {{ n }} cards{% endblocktrans %}", []),
        ('<p title="{% trans "Hand" %}">{{ hand }} {% trans "Your hand" %} 12 · &times; &nbsp;</p>', []),
        ('<input type="hidden" value="yes"><input name="x" value="yes">', []),
        ("<script>let words = 1</script><style>p { color: red }</style>", []),
        ('<button lang="en">English</button>', []),
        ('{% url "play:join" %}{% include "a/b.html" with kind="big red" only %}', [(1, "big red")]),
        ('{% include "a/b.html" with kind="big" %}', []),
        ("{% block body_class %}play face{% endblock %}{% block main %}Hand{% endblock %}", [(1, "Hand")]),
        ("GM · {{ n }} HP (NPC):", []),
        ("GM's hand", [(1, "GM's hand")]),
    ],
)
def test_the_template_check_finds_the_words_that_people_see(
    template: str, hits: list[tuple[int, str]]
) -> None:
    found = words.untranslated(template)
    assert [text for _, text in found] == [text for _, text in hits]
    if len(hits) == 1 and not template.startswith("{% blocktrans"):
        assert found == hits


@pytest.mark.parametrize(
    ("source", "hits"),
    [
        ("f'{_(\"Hand\")}!'", 1),
        ("_(f'Hand {n}')", 1),
        ("gettext_lazy(f'{n}')", 1),
        ("f'{name}' + _('Hand')", 0),
        ("_('Hand %(n)s') % {'n': 1}", 0),
    ],
)
def test_the_source_check_finds_calls_that_cannot_be_extracted(source: str, hits: int) -> None:
    assert len(list(words.out_of_reach(source))) == hits
