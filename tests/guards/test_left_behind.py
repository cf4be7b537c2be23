"""Every page in the pseudo-locale: text outside its brackets was written by people, or is not translated."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any

import pytest
from django.conf import settings

from characters.exchange.wording import ENGLISH, WORDINGS, Wording
from characters.models import ExperienceLine, ItemPower, NpcRank
from sessions.chat.commands import HEADING
from tests.guards.addresses import every
from tests.guards.world import World
from tests.pseudo import CODE, bare, left_behind, pseudo, pseudo_locale  # noqa: F401
from tests.words import has_words

ROLES = ("stranger", "player", "gm")
#: What people of this world wrote.
TYPED = r"人\d*|今夜|昨夜|蛇|朔|Kanari\w+|封書|皆へ|剣術|料理|脇差|影|戸が開く|港|冠|稽古|警備が気づくまで"
#: The same in every language: corners of cards, fingerprints, addresses, commands, the version.
ALIKE = r"\b[AJQKSHDC]\b|\b[0-9a-f]{32,}\b|(https?://)?testserver\S*|.*\bpython3? .*|\d+\.\d+\.\d+\S*"
#: In a language of its own: that it is not whole.
NOTES = "|".join(settings.PARTLY_TRANSLATED.values())
KNOWN = re.compile(f"{TYPED}|{ALIKE}|{NOTES}")


@pytest.fixture
def pseudo_data(reference_rows: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Words that are data speak the pseudo-locale, too: rows, and the labels of pieces."""

    def words(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: words(text) for key, text in value.items()}
        if isinstance(value, str):
            return HEADING + pseudo(value[1:]) if value.startswith(HEADING) else pseudo(value)
        return tuple(words(text) for text in value)

    own = {field.name: words(getattr(ENGLISH, field.name)) for field in fields(Wording)}
    monkeypatch.setitem(WORDINGS, CODE, Wording(**own))
    for model, names in (
        (ItemPower, ["texts"]),
        (ExperienceLine, ["texts"]),
        (NpcRank, ["names", "descriptions"]),
    ):
        for row in model.objects.all():
            for name in names:
                getattr(row, name)[CODE] = pseudo(getattr(row, name)["en"])
            row.save()


def test_the_pseudo_locale_lengthens_words_and_keeps_placeholders() -> None:
    assert pseudo("%(n)s cards of {name}, <b>Hello</b>") == "⟦%(n)s çààřdš ööf {name}, <b>Hééllöö</b>~~~⟧"
    assert len(pseudo("Take a seat")) >= 1.4 * len("Take a seat")
    assert list(bare("⟦Hàañd ⟦x⟧ of⟧ 12 GM")) == []
    assert left_behind('<p title="Hand">⟦a <b>b</b> c⟧ d</p><script>let</script>') == ["Hand", "d"]


@pytest.mark.long
@pytest.mark.usefixtures("pseudo_data")
def test_every_page_has_translated_words_only(world: World, pseudo_locale: str) -> None:  # noqa: F811
    left: dict[str, str] = {}
    pages = 0
    for address in every():
        # Django's own pages, and books, of which each language has its own.
        if address.route.startswith(("admin/", "help/")) or "rules/" in address.route:
            continue
        path = address.path(world) + address.query
        for role in ROLES:
            answer = world.clients[role].get(path, headers={"Accept-Language": pseudo_locale})
            if answer["Content-Type"].startswith("text/html"):
                pages += 1
                found = left_behind(answer.content.decode())
                left |= {words: path for words in found if has_words(KNOWN.sub("", words))}
    assert pages > 100
    assert sorted(left.items()) == []
