"""Presses as people make them: on what lies still, and not right after another press."""

from __future__ import annotations

from playwright.async_api import Locator, expect


async def press(button: Locator) -> None:
    """Press a button of the hand once the page has an answer to what it sent."""
    await expect(button.page.locator("#table:not(.just-sent, .is-sending)")).to_be_visible()
    await button.click()


async def press_dimmed(button: Locator) -> None:
    """Press a button that is marked as disabled and takes presses to say why."""
    await button.hover(trial=True)
    await button.tap(force=True)


async def moving_properties(place: Locator) -> set[str]:
    """Return what moves in a place. Only "transform" and "opacity" leave a page's main thread alone."""
    frames = await place.evaluate(
        "place => place.getAnimations({ subtree: true }).flatMap((one) => one.effect.getKeyframes())"
    )
    return {name for frame in frames for name in frame} - {"offset", "computedOffset", "easing", "composite"}
