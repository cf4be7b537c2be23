"""A hand of cards under a thumb and on a keyboard."""

from __future__ import annotations

import json
from typing import Any

from channels.db import database_sync_to_async
from playwright.async_api import Page, expect

from sessions.engine.bots import RANDOM
from sessions.models import Seat, Session, Table
from sessions.table import opening
from sessions.table.opening import Sitter
from tests.conftest import Somebody
from tests.evening import call, hand, play
from tests.servers import ThreadServer


async def gm_plays(table: Table, raw: bytes) -> None:
    await database_sync_to_async(play)(table, "gm", raw)


async def cards_on(page: Page) -> list[str]:
    return list(await page.eval_on_selector_all("[data-hand] > li", "all => all.map(li => li.dataset.card)"))


async def test_cards_are_discarded_in_the_order_they_were_tapped(
    server: ThreadServer, phone: Any, table: Table, ayumi: Somebody
) -> None:
    one = await phone(server, ayumi, at=table)
    first, second, third = await cards_on(one)
    await gm_plays(table, json.dumps({"type": "set_hp", "who": "p1", "hp": 1}).encode())
    button = one.locator("#act-discard button")
    await expect(button).to_have_attribute("aria-disabled", "true")
    await one.locator(f'[data-card="{third}"]').tap()
    await one.locator(f'[data-card="{first}"]').tap()
    await expect(one.locator(f'[data-card="{third}"] .pick-mark')).to_have_text("1")
    await expect(one.locator(f'[data-card="{first}"] .pick-mark')).to_have_text("2")
    await one.locator(f'[data-card="{second}"]').tap()  # one more than is asked for does nothing
    await button.tap()
    await expect(one.locator("[data-hand] > li")).to_have_count(1)
    assert await cards_on(one) == [second]
    assert await database_sync_to_async(hand)(table, "p1") == [second]
    await expect(one.locator(f'[id^="board-field-{first}"]')).to_be_visible()


async def test_a_raised_card_and_the_order_outlive_a_new_view(
    server: ThreadServer, phone: Any, table: Table, ayumi: Somebody
) -> None:
    one = await phone(server, ayumi, at=table)
    chosen = (await cards_on(one))[1]
    await one.locator(f'[data-card="{chosen}"]').tap()
    await one.locator("[data-hand-sort]").select_option("suit")
    in_order = await cards_on(one)
    await gm_plays(table, call("p1", 0))
    await expect(one.locator("#act-play button")).not_to_have_attribute("aria-disabled", "true")
    await expect(one.locator(f'[data-card="{chosen}"] input')).to_be_checked()
    assert await cards_on(one) == in_order


async def test_a_hand_is_played_by_keyboard_and_keeps_the_focus(
    server: ThreadServer, laptop: Any, table: Table, ayumi: Somebody
) -> None:
    one = await laptop(server, ayumi, at=table)
    await gm_plays(table, call("p1", 0))
    await one.locator("#act-play").wait_for()
    before = [card for card in await cards_on(one) if not card.startswith("x")]
    await one.locator(f'[data-card="{before[0]}"] input').focus()
    await one.keyboard.press("Space")
    await one.keyboard.press("Enter")
    await expect(one.locator(f'[data-card="{before[0]}"]')).to_have_count(0)
    await expect(one.locator("[data-hand] input:focus")).to_have_count(1)


async def drag(page: Page, card: str, *, up: int) -> None:
    """Put a finger on a card, move it up, and let go."""
    touch = await page.context.new_cdp_session(page)
    box = await page.locator(f'[data-card="{card}"]').bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    await touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for part in range(1, 6):
        point = {"x": x + part, "y": y - up * part / 5}
        await touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    await touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


async def test_a_raised_card_is_dragged_onto_the_table_or_kept(
    server: ThreadServer, phone: Any, table: Table, ayumi: Somebody
) -> None:
    one = await phone(server, ayumi, at=table)
    await gm_plays(table, call("p1", 0))
    await one.locator("#act-play").wait_for()
    card, other = [card for card in await cards_on(one) if not card.startswith("x")][:2]
    await drag(one, card, up=200)  # not raised: nothing is played by a swipe
    await one.locator(f'[data-card="{card}"]').tap()
    await drag(one, card, up=40)  # let go too near to the hand
    assert "just-sent" not in str(await one.locator("#table").get_attribute("class"))
    await expect(one.locator(f'[data-card="{card}"] input')).to_be_checked()
    await drag(one, card, up=200)
    await expect(one.locator(f'[data-card="{card}"]')).to_have_count(0)
    await expect(one.locator("#table")).to_have_attribute("data-version", "2")
    await expect(one.locator(f'[data-card="{other}"]')).to_be_visible()


async def test_a_second_tap_right_after_a_commit_is_ignored(
    server: ThreadServer, phone: Any, table: Table, ayumi: Somebody
) -> None:
    one = await phone(server, ayumi, patient=False)
    await one.add_init_script(
        """const later = setTimeout;
           setTimeout = (act, ms) => ms === 350 ? (window.timePasses = act, 0) : later(act, ms);"""
    )
    await one.goto(table.get_absolute_url())
    await gm_plays(table, call("p1", 0, chain=True))
    await one.locator("#act-play").wait_for()
    card = next(card for card in await cards_on(one) if not card.startswith("x"))
    await one.locator(f'[data-card="{card}"]').tap()
    await one.locator("#act-play button").tap()
    await one.locator("#act-stop button").tap()  # it came up under the finger
    await one.locator("[data-zoom]").tap()  # what changes nothing is free
    await expect(one.locator("#zoom-sheet")).to_be_visible()
    await one.keyboard.press("Escape")
    await expect(one.locator("#table")).to_have_attribute("data-version", "2")
    await one.evaluate("timePasses()")
    await one.locator("#act-stop button").tap()
    await expect(one.locator("#table")).to_have_attribute("data-version", "3")


async def stops(page: Page, cards: str) -> list[list[str]]:
    """Return where a screen reader stops in each of the cards, from the accessibility tree."""
    tools = await page.context.new_cdp_session(page)
    nodes = (await tools.send("Accessibility.getFullAXTree"))["nodes"]
    known = {node["nodeId"]: node for node in nodes}

    def role(node: dict[str, Any]) -> str:
        return "" if node["ignored"] else str(node["role"]["value"])

    def within(node: dict[str, Any]) -> list[dict[str, Any]]:
        """Return a node and all below it, as they are read: a button is read as one."""
        below = [known[each] for each in node["childIds"] if each in known and role(node) != "button"]
        return [node, *(each for child in below for each in within(child))]

    def is_stop(node: dict[str, Any]) -> bool:
        silent = role(node) in ("", "InlineTextBox", "generic")
        return not silent and bool(node.get("name", {}).get("value", "").strip())

    def told(node: dict[str, Any]) -> str:
        described = node.get("description", {}).get("value", "")
        return f"{node['role']['value']} {node['name']['value']} {described}".strip()

    root = (await tools.send("DOM.getDocument", {"depth": 0}))["root"]["nodeId"]
    found = (await tools.send("DOM.querySelectorAll", {"nodeId": root, "selector": cards}))["nodeIds"]
    drawn = [(await tools.send("DOM.describeNode", {"nodeId": each}))["node"] for each in found]
    return [
        [
            told(each)
            for node in nodes
            if node.get("backendDOMNodeId") == card["backendNodeId"]
            for each in within(node)
            if is_stop(each)
        ]
        for card in drawn
    ]


async def test_a_screen_reader_stops_once_at_each_card(
    server: ThreadServer, phone: Any, table: Table, ayumi: Somebody
) -> None:
    one = await phone(server, ayumi, at=table)
    await gm_plays(table, call("p1", 2))
    await one.locator("#act-play").wait_for()
    heard = await stops(one, "[data-hand] li")
    assert len(heard) == 3
    for card in heard:
        assert len(card) == 1, heard
        assert card[0].startswith("radio "), card
        assert "UC-" not in card[0], "the id of a rule is for eyes"
        assert "出せば成功" in card[0] or "出すと失敗" in card[0], card
    await one.locator("[data-hand] label").first.tap()
    await expect(one.locator("[data-why] .rule-id")).to_be_visible()


def laid(seat: str) -> tuple[str, dict[str, Any]]:
    """Lay two cards of LIAR MAFIA."""
    return seat, {
        "type": "place",
        "slots": [{"card": card, "facing": "up"} for card in ("police", "hitman")],
    }


#: Where cards are on a player's phone in each board game, with the options and the moves that bring it there.
CARDS: dict[str, tuple[str, int, dict[str, Any], list[tuple[str, dict[str, Any]]]]] = {
    "journey": (".journey-hand > li", 1, {}, [("p1", {"type": "pack", "items": []})]),
    "twentyfour": (".tf-card, .tf-slot", 3, {"detectives": "random"}, []),
    "goodcop": (".gc-own > li, #ring > li", 4, {}, []),
    "liarmafia": (".own-cards > li, .half-field > .place:not(.small)", 2, {}, [laid("p1"), laid("p2")]),
}


async def test_a_board_games_card_is_read_once(
    server: ThreadServer, phone: Any, session: Session, seats: list[Seat], ayumi: Somebody
) -> None:
    def begin(key: str) -> Table:
        _, number, options, moves = CARDS[key]
        players = [*seats, *[Sitter(None, RANDOM)] * 4][:number]
        table = opening.open_table(session=session, module_key=key, players=players, options=options)
        for seat, move in moves:
            play(table, seat, json.dumps(move).encode())
        return table

    one = await phone(server, ayumi)
    for key, (where, *_) in CARDS.items():
        table = await database_sync_to_async(begin)(key)
        await one.goto(table.get_absolute_url())
        await one.locator(where).first.wait_for()
        heard = await stops(one, where)
        assert heard, key
        assert [len(card) for card in heard] == [1] * len(heard), (key, heard)


async def test_a_card_keeps_its_edge_in_forced_colours(
    server: ThreadServer, phone: Any, table: Table, ayumi: Somebody
) -> None:
    one = await phone(server, ayumi, forced_colors="active", at=table)
    edges = "all => all.map(card => getComputedStyle(card).outlineStyle)"
    for place in ("#board .card", "[data-hand] .card"):
        assert set(await one.eval_on_selector_all(place, edges)) == {"solid"}, place
