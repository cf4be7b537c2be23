"""The card of a result: for those who were there, and with nothing that stays secret."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.urls import reverse

from companion.fate import Fate
from sessions.engine.bots import random_game
from sessions.engine.registry import registry
from sessions.engine.step import encode
from sessions.models import Role, Seat, Session, Table
from sessions.report.result_card import RenderedCard, result_card
from sessions.table import opening
from sessions.table.opening import Sitter
from tests.conftest import Somebody
from tests.evening import sit

pytestmark = pytest.mark.django_db
GAMES = ("goodcop", "journey", "liarmafia", "twentyfour")


def ended(seats: list[Seat], key: str, *, stopped: bool = False) -> Table:
    """A table at the end of a random game, in which bots sit where there are no people."""
    module = registry()[key]
    players = [Sitter(seat) for seat in seats[: module.seats.stop - 1]]
    bots = [Sitter(None, "random")] * max(0, module.seats.start - len(players))
    table = opening.open_table(session=seats[0].session, module_key=key, players=[*players, *bots])
    if not stopped:
        games = (list(random_game(module, len(players) + len(bots), f"game {seed}")) for seed in range(40))
        table.snapshot = next(game[-1].snapshot for game in games if _is_told(module, game[-1].snapshot))
    table.ended_at = table.opened_at
    table.save(update_fields=["snapshot", "ended_at"])
    return Table.objects.get(pk=table.pk)


def _is_told(module: Any, snapshot: bytes) -> bool:
    outcome = module.outcome(module.load(snapshot))
    return outcome is not None and outcome.reason != "concede"


def all_of(told: RenderedCard) -> str:
    return " ".join((told.result, told.said, told.sent, told.prompt))


@pytest.mark.parametrize("key", GAMES)
def test_the_named_result_card_has_names_and_the_nameless_one_numbers(seats: list[Seat], key: str) -> None:
    card = result_card(ended(seats, key))
    assert card
    named, nameless = all_of(card.named), all_of(card.nameless)
    for seat in seats:
        assert seat.name not in nameless
    if registry()[key].seats.stop > 2:
        assert seats[0].name in named
        assert "プレイヤー1" in nameless
        assert "プレイヤー1" not in named


@pytest.mark.parametrize("key", GAMES)
def test_a_result_card_has_the_data_of_its_game_and_a_row_a_player(seats: list[Seat], key: str) -> None:
    card = result_card(ended(seats, key))
    assert card
    assert "data-sent-card=" in card.nameless.sent
    assert len(re.findall("data-sent-row=", card.nameless.sent)) >= registry()[key].seats.start


@pytest.mark.parametrize("key", GAMES)
def test_a_result_card_does_not_depend_on_hidden_cards(seats: list[Seat], key: str) -> None:
    """Two ends that no player can tell apart have the same card."""
    module, table = registry()[key], ended(seats, key)
    before = result_card(table)
    state = module.load(bytes(table.snapshot))
    module.resample(state, set(), Fate("twin", 1))
    if key == "goodcop":  # these stay hidden for good
        state.deck, state.aside = [*reversed(state.deck), "taser"], ["kingpin", "agent"]
    table.snapshot = encode(state)
    assert result_card(table) == before


def test_a_game_without_a_result_card_template_still_has_a_result_text(seats: list[Seat], tally: Any) -> None:
    card = result_card(ended(seats, "tally"))
    assert card
    assert card.named.result
    assert card.named.sent == ""


def address(table: Table) -> str:
    return reverse("play:result", args=[table.pk])


def test_a_result_card_is_open_to_the_sessions_seats_once_there_is_a_result(
    session: Session, seats: list[Seat], ayumi: Somebody, bo: Somebody, kei: Somebody
) -> None:
    table = ended(seats, "liarmafia")
    assert 'name="names"' in ayumi.client.get(address(table)).content.decode()
    assert address(table) in ayumi.client.get(table.get_absolute_url()).content.decode()
    assert kei.client.get(address(table)).status_code == 404
    sit(session, kei.person, Role.SPECTATOR)
    assert kei.client.get(address(table)).status_code == 200
    assert bo.client.get(address(ended(seats, "liarmafia", stopped=True))).status_code == 404
    Table.objects.update(ended_at=None)
    assert bo.client.get(address(table)).status_code == 404


def test_a_result_card_links_to_the_game_and_not_to_the_table(
    seats: list[Seat], ayumi: Somebody, settings: Any
) -> None:
    settings.PUBLIC_URL = "https://takujo.example"
    page = ayumi.client.get(address(ended(seats, "goodcop"))).content.decode()
    assert 'data-address="https://takujo.example/games/goodcop/"' in page


def test_a_result_card_asks_for_the_consent_of_all_if_several_played(
    seats: list[Seat], ayumi: Somebody
) -> None:
    agreed = "全員がよいと言ったときだけ"
    together, alone = ended(seats, "liarmafia"), ended(seats[:1], "journey")
    assert agreed in ayumi.client.get(address(together)).content.decode()
    assert agreed not in ayumi.client.get(address(alone)).content.decode()
