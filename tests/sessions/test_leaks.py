"""How tests look for what a text gives away: chance never writes it, and no way to write it is overlooked."""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Callable

import pytest
from django.core import signing
from django.utils.crypto import get_random_string

from companion.cards import standard_deck
from companion.fate import commitment
from companion.pages.reach import qr_svg
from companion.templatetags.cards import card_chip, card_name, card_short, card_whole
from tests.evening import cards_in, mentions

CARDS = standard_deck()
TOKENS: dict[str, Callable[[], str]] = {
    "commitment": lambda: commitment(secrets.token_hex(32)),
    "key": lambda: secrets.token_urlsafe(24),
    "id": lambda: str(uuid.UUID(bytes=secrets.token_bytes(16))),
    "form": lambda: get_random_string(64),
    "signature": lambda: signing.dumps({"key": secrets.token_hex(8)}),
}


@pytest.mark.parametrize("kind", TOKENS)
def test_cards_in_finds_no_card_in_a_token(kind: str) -> None:
    tokens = [TOKENS[kind]() for _ in range(2_000)]
    text = "\n".join(f'<a href="/j/{token}/">{qr_svg(token[:8])}</a>' for token in tokens[:20])
    text += "\n".join(f'<input name="key" value="{token}"> "{token}": {token}, ' for token in tokens)
    assert any(card in text for card in CARDS), "a bare search is deceived"
    assert cards_in(text) == set()
    assert not mentions(text, card_short("x01"))


@pytest.mark.parametrize("card", ["d11", "x01", "h07"])
@pytest.mark.parametrize(
    "way",
    [
        '<button id="hand-{}" class="playing-card">',
        "<li class=card-{}-up data-seat=p1>",
        '<p data-card="{}">',
        '{{"kind": "received", "cards": ["h02", "{}"]}}',
        "[{{'seat': 'p1', 'card': '{}'}}]",
        '<img src="/static/cards/{}.svg">',
        "p1_drew_{}_from_the_deck",
        "引いた札は{}です",
    ],
)
def test_cards_in_finds_a_card_in_every_notation(way: str, card: str) -> None:
    around = " ".join(token() for token in TOKENS.values())
    text = f"{around} {way.format(card)} {around}"
    assert card in cards_in(text)
    assert mentions(text, card)
    assert not mentions(text, f"{card}0")


@pytest.mark.parametrize("card", ["d11", "x01", "h07"])
def test_mentions_finds_the_rendered_name_of_a_card(card: str) -> None:
    for drawing in (card_whole(card), card_chip(card), f"p1 drew {card_short(card)}."):
        assert mentions(drawing, card_name(card)) or mentions(drawing, card_short(card)), drawing
    assert not mentions("the 17 of hearts, ♥\ufe0e70", card_name("h07"))
    assert not mentions("the 17 of hearts, ♥\ufe0e70", card_short("h07"))
