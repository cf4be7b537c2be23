"""Names: nothing invisible is kept, joiners stay where they join, and names that look alike are one name."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from django import forms
from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import models
from django.urls import get_resolver
from hypothesis import given
from hypothesis import strategies as st

from companion import names
from companion.accounts.forms import RenamePasskeyForm, SignUpForm
from companion.names.fields import LineField
from sessions.scenarios.document import PARAGRAPHS, ScenarioPart, tidy

UNSEEN = [
    *("\u3164", "\u2800", "\ufe0f", "\u034f", "\u115f\u1160", "\uffa0", "\u180b", "\u17b4", "\u180e"),
    *("\u200b", "\u2060", "\u00ad", "\u202e", "\u2066", "\u061c", "\ufeff", "\ufff9", "\u200d", "\u200c"),
    *("\U000e0041\U000e0042", "\U000e0100", "\U0001d173", "\ue000", "\ufdd0", "\x00\x1b", "\u2028", "\u0301"),
]


@pytest.mark.parametrize("unseen", [*UNSEEN, "", " \u3000", "\r\n", "\u3164\u200b\ufe0f"], ids=ascii)
def test_a_name_of_invisible_characters_is_empty(unseen: str) -> None:
    assert names.clean(unseen) == names.clean_text(unseen) == ""


@pytest.mark.parametrize("unseen", [sign for sign in UNSEEN if sign != "\u0301"], ids=ascii)
@pytest.mark.parametrize("name", ["{}あゆみ", "あゆ{}み", "あゆみ{}"])
def test_invisible_characters_make_no_different_name(name: str, unseen: str) -> None:
    assert names.look_alike(name.format(unseen), "あゆみ")
    assert names.clean(name.format(unseen)).replace(" ", "") == "あゆみ"


@pytest.mark.parametrize(
    "name",
    [
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",
        "\U0001f3f3\ufe0f\u200d\U0001f308",
        "\u2764\ufe0f\u200d\U0001f525",
        "\U0001f469\U0001f3fd\u200d\U0001f680 と \U0001f408\u200d\u2b1b",
        "1\ufe0f\u20e3",
        "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "\U0001fae8",  # of Unicode 15, which Python 3.11 does not know
        "♠\ufe0e",
        "می\u200cخواهم",
        "خانه\u200cای",
        "क्\u200dष क्\u200cष",
        "ශ්\u200dරී",
        "র\u200d্যাব",
        "葛\U000e0100城",
        "\u1820\u180b",
        "第①夜\u3000ＡＢＣ ｶﾞｰﾙ",
        "Ångström",
    ],
    ids=ascii,
)
def test_joiners_and_variation_selectors_of_a_name_stay(name: str) -> None:
    assert names.clean(name) == names.clean_text(name) == name


def test_a_name_is_one_line_and_a_text_keeps_its_lines() -> None:
    assert names.clean(" a\r\nb\t \x0bc\u2028d\x00e ") == "a b c d e"
    assert names.clean("a\u3000\u3000b") == "a\u3000b"
    assert names.clean_text(" a\r\nb  c\u202e\n\n\u3000d\x00e\n") == "a\nb  c\n\n\u3000d e"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(
            ("カ", "力"),
            ("ニ", "二"),
            ("ロ", "口"),
            ("へべ", "ヘベ"),
            ("アリー", "アリ一"),
            ("アリー", "アリ－"),
        ),
        *(("ｱﾘ", "アリ"), ("ア リ", "アリ"), ("か゛", "が"), ("葛\U000e0100", "葛"), ("AKI", "ａｋｉ")),
        *(("Paul", "Рaul"), ("Bob", "Βob"), ("Bill", "BiIl"), ("Marn", "Mam"), ("Straße", "STRASSE")),
        *(("O", "0"), ("BOB", "Βob"), ("한", "한"), ("👨\u200d👩", "👨👩")),
    ],
)
def test_names_that_look_alike_are_one_name(one: str, other: str) -> None:
    assert names.look_alike(one, other)
    assert names.look_alike(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(("ア", "あ"), ("ツ", "シ"), ("ソ", "ン"), ("ハ", "バ"), ("っ", "つ"), ("リ", "り"), ("ユ", "ヨ")),
        *(("大", "犬"), ("未", "末"), ("アリ", "アリス"), ("Ian", "Lan"), ("Ila", "Lia"), ("Mia", "Mla")),
        *(("a", "á"), ("Jose", "José"), ("1", "2"), ("❤", "♥"), ("👩", "👨")),
    ],
)
def test_names_that_look_different_are_different_names(one: str, other: str) -> None:
    assert not names.look_alike(one, other)


@given(st.lists(st.sampled_from([*"aIl1ア力一ﷺ👨葛क\u094d\u0645\u1820 ", *UNSEEN]), max_size=40).map("".join))
def test_a_name_is_kept_the_same_however_often_it_is_cleaned(typed: str) -> None:
    kept = names.clean(typed)
    assert names.look_alike(kept, typed)
    assert names.look_alike(names.clean(kept), kept)
    assert len(names.name_key(typed)) <= names.KEY_LENGTH
    kept.encode()


# --- every field -------------------------------------------------------------------------------------------

OURS = ("characters", "companion", "sessions")
#: Fields of rows that no person writes, or that nobody reads as a name.
NO_LINES = {
    *(
        "auth",
        "bot",
        "by",
        "code",
        "commitment",
        "draft_digest",
        "edit_password",
        "endpoint",
        "key",
        "language",
        "media_type",
        "module",
        "name_key",
    ),
    *(
        "npc",
        "p256dh",
        "return_to",
        "roll_secret",
        "seat",
        "secret",
        "session_key",
        "share_key",
        "source",
        "step",
        "suits",
        "token_hash",
        "turn_mail_language",
    ),
}
#: Fields of forms that choose something, and one whose own check takes lines.
NO_FORM_LINES = {("BuyForm", "kind"), ("FaceForm", "emblem"), ("SpawnForm", "special")}


def own_models() -> Iterator[type[models.Model]]:
    return (model for model in apps.get_models() if model.__module__.split(".")[0] in OURS)


def lines() -> list[Any]:
    return [
        pytest.param(field, id=f"{model.__name__}.{field.name}")
        for model in own_models()
        for field in model._meta.get_fields()
        if isinstance(field, LineField)
    ]


def test_every_line_of_text_in_a_model_is_a_cleaned_field() -> None:
    others = {
        f"{model.__name__}.{field.name}"
        for model in own_models()
        for field in model._meta.local_fields
        if type(field) is models.CharField and not field.choices and field.name not in NO_LINES
    }
    assert others == {"Stage.scene", "User.username", "User.first_name", "User.last_name", "User.password"}


@pytest.mark.parametrize("field", lines())
def test_a_line_field_of_invisible_characters_counts_as_empty(field: LineField) -> None:
    asked = field.formfield()
    assert asked.clean("あ\u3164\r\nい\u202e") == field.clean("あ\u3164\r\nい\u202e", None) == "あ い"
    assert field.get_prep_value("あ\u200b") == "あ"
    for clean in (asked.clean, lambda typed: field.clean(typed, None)):
        if field.blank:
            assert clean("\u3164") == ""
        else:
            with pytest.raises(ValidationError):
                clean("\u3164")


def test_every_line_of_text_in_a_form_is_a_cleaned_field() -> None:
    assert get_resolver().url_patterns, "all forms are imported"

    def below(kind: type) -> Iterator[type]:
        for child in kind.__subclasses__():
            yield child
            yield from below(child)

    others = {
        (form.__name__, name)
        for form in below(forms.BaseForm)
        if form.__module__.split(".")[0] in OURS and not form.__module__.startswith("companion.accounts")
        for name, field in {**form.base_fields, **form.declared_fields}.items()
        if type(field) is forms.CharField and isinstance(field.widget, forms.TextInput)
    }
    assert others == NO_FORM_LINES


def test_every_line_of_a_scenario_is_cleaned() -> None:
    fields = {
        name for thing in ScenarioPart.__subclasses__() for name in thing.__struct_fields__
    } - PARAGRAPHS
    assert {"title", "label", "name", "words", "caption", "whom"} <= fields
    assert {tidy(name, "\u3164") for name in fields} == {""}


def test_names_of_accounts_and_passkeys_are_cleaned() -> None:
    assert "username" in SignUpForm({"username": "\u3164"}).errors
    passkey = SimpleNamespace(wrap=lambda: SimpleNamespace(name="Phone"))
    assert "name" in RenamePasskeyForm({"name": "\u3164"}, instance=passkey).errors
