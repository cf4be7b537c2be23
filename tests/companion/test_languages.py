"""Languages are data: the menu, the fallback for missing words, words of rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import translation

from characters.models import ItemPower
from companion.wording import pick_translation
from companion.wording.catalogues import catalogues
from companion.wording.translated import TranslatedFormField, localize
from tests.conftest import Somebody
from tests.core import core
from tests.messages import Message


def buttons(html: str) -> dict[str, str]:
    """Return the menu's buttons by language, each with its attributes and words."""
    found = re.findall(r'<button[^>]*name="language"[^>]*>[^<]*', " ".join(html.split()))
    return {button.split('value="')[1].split('"')[0]: button for button in found}


@pytest.mark.django_db
@pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES])
def test_the_menu_names_every_language_by_its_own_name(client: Client, language: str) -> None:
    client.cookies["django_language"] = language
    menu = buttons(client.get("/").content.decode())
    assert [*menu] == [code for code, _ in settings.LANGUAGES]
    for code, name in settings.LANGUAGES:
        assert f'lang="{code}"' in menu[code]
        assert menu[code].endswith(f">{name}")
        assert ('aria-current="true"' in menu[code]) == (code == language)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("asked", "read"),
    [
        ("ko-KR,ko;q=0.9,en-US;q=0.8,en;q=0.7", "en"),
        ("ko,ja;q=0.9,en;q=0.8", "ja"),
        ("en;q=0.5, KO", "en"),
        ("ko", settings.LANGUAGE_CODE),
    ],
)
def test_a_partly_translated_language_is_not_chosen_by_browser_settings(
    client: Client, asked: str, read: str
) -> None:
    html = client.get("/", headers={"Accept-Language": asked}).content.decode()
    assert f'<html lang="{read}"' in html
    note = settings.PARTLY_TRANSLATED["ko"]
    assert html.count(note) == 1, "the menu says it beside the language"
    client.post(reverse("set_language"), {"language": "ko", "next": "/"})
    chosen = client.get("/", headers={"Accept-Language": asked}).content.decode()
    assert '<html lang="ko"' in chosen
    assert chosen.count(note) == 2, "whoever chose it is told on the front page"


def test_missing_translations_fall_back_to_english_then_japanese() -> None:
    assert pick_translation({"ja": "手札", "en": "hand", "pt": "mão"}, "pt-br") == "mão"
    assert pick_translation({"ja": "手札", "en": "hand"}, "pt-br") == "hand"
    assert pick_translation({"ja": "手札", "en": ""}, "pt") == "手札"
    with pytest.raises(LookupError):
        pick_translation({"ko": "패"}, "pt")


def test_words_of_a_row_are_read_in_the_readers_language() -> None:
    with translation.override("en"):
        assert localize({"ja": "手札", "en": "hand"}) == "hand"
    with translation.override("ja"):
        assert localize({"ja": "手札", "en": "hand"}) == "手札"
    assert localize({}) == ""


def test_a_translated_field_has_an_input_for_each_language() -> None:
    field = TranslatedFormField()
    html = field.widget.render("texts", {"ja": "手札"})
    assert [f'lang="{code}"' in html for code, _ in settings.LANGUAGES] == [True] * len(settings.LANGUAGES)
    assert field.clean(["手札", "hand", *[""] * (len(settings.LANGUAGES) - 2)]) == {
        "ja": "手札",
        "en": "hand",
    }


def test_the_admin_edits_the_words_of_a_row_in_each_language(gm: Somebody, reference_rows: None) -> None:
    row = ItemPower.objects.get(table="tool", value=0)
    address = f"/admin/characters/itempower/{row.pk}/change/"
    fields = {f"texts_{n}": f"{code}!" for n, (code, _) in enumerate(settings.LANGUAGES)}
    html = gm.client.get(address).content.decode()
    names = re.findall(r'name="(texts[^"]*)"', html)
    assert (
        gm.client.post(
            address, {"table": "tool", "value": 0, **dict(zip(names, fields.values(), strict=True))}
        ).status_code
        == 302
    )
    row.refresh_from_db()
    assert row.texts == {code: f"{code}!" for code, _ in settings.LANGUAGES}
    found = gm.client.get("/admin/characters/itempower/", {"q": "en!"}).content.decode()
    assert address in found
    empty = gm.client.post(address, {"table": "tool", "value": 0, **dict.fromkeys(names, "")})
    assert empty.status_code == 200, "a row that says nothing in any language is refused"


def test_the_admin_names_its_models_in_japanese(gm: Somebody) -> None:
    html = gm.client.get("/admin/", headers={"Accept-Language": "ja"}).content.decode()
    named = re.findall(r'<th scope="row"[^>]*>\s*<a[^>]*>([^<]+)</a>', html)
    assert named
    assert [name for name in named if name.isascii()] == []


def translated(catalogue: Path) -> Iterator[Message]:
    """Yield the messages that a catalogue has words for."""
    with catalogue.open("rb") as po:
        for message in read_po(po):
            words = message.id if isinstance(message.id, str) else message.id[0]
            if words and all([message.string] if isinstance(message.string, str) else message.string):
                yield message.context, words


@pytest.mark.parametrize("language", sorted(settings.PARTLY_TRANSLATED))
def test_a_partly_translated_language_has_the_words_of_the_core(language: str) -> None:
    files = [path for path in catalogues(settings.BASE_DIR) if path.parts[-3] == language]
    have = {message for path in files for message in translated(path)}
    wanted = core()
    missing = {words: path.name for words, path in wanted.items() if words not in have}
    # A sentence that is new in English may be read in English for a while, one in twenty at most.
    assert len(missing) < len(wanted) / 20, missing


@pytest.mark.parametrize("language", sorted(settings.PARTLY_TRANSLATED))
def test_untranslated_words_of_a_partial_language_are_english(language: str) -> None:
    with translation.override("ja"):
        assert translation.gettext("The passkey is removed.") == "パスキーを外しました。"
    with translation.override(language):
        assert translation.gettext("Save") != "Save"
        assert translation.gettext("The passkey is removed.") == "The passkey is removed."
