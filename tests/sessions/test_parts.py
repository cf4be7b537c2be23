"""What a page puts together from its pushes is what would be drawn for it now."""

from __future__ import annotations

import re
import uuid
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import islice
from random import Random

import msgspec
import pytest
from django.conf import settings
from django.utils import translation

from companion.fate import Fate
from companion.rendering import markup
from sessions.engine.bots import random_game
from sessions.engine.registry import registry
from sessions.engine.step import decode_move, encode, step
from sessions.game_tests.fixtures import seeds
from sessions.game_tests.screens import game, opened, screens
from sessions.live.consumer_base import push
from sessions.live.regions import Screen
from sessions.live.screen_view import ScreenExtras, ScreenView, spectator_view
from sessions.models import Move
from tests.bench import scripts
from tests.patching import filled

LANGUAGES = [code for code, _ in settings.LANGUAGES]
#: A page looks at two moves of three: one that comes late is drawn what it missed at once.
LOOKS = 2 / 3
#: Moves of a table of which bytes are counted, and until its log is as long as a page shows it.
MOVES, UNTIL_FULL = 60, 35
ID = re.compile(r' id="([^"]+)"')


def looks(key: str, seed: int) -> Iterator[tuple[Screen, ScreenView]]:
    """Yield each look of a page at a table, over a random game."""
    module, rng = registry()[key], Random(seed)
    for cached in game(module, seed):
        shared = spectator_view(cached)
        for screen in screens(module, cached):
            if rng.random() < LOOKS:
                yield (
                    screen,
                    ScreenView(cached, screen, ScreenExtras(can_undo=cached.mover == screen.seat), shared),
                )


@pytest.mark.parametrize("seed", seeds(1, of=3))
@pytest.mark.parametrize("key", registry())
def test_patches_put_together_give_the_whole_html_of_a_region(key: str, seed: int) -> None:
    sent: dict[tuple[Screen, str], str] = {}
    shown: dict[tuple[Screen, str], str] = {}
    with translation.override(LANGUAGES[seed % len(LANGUAGES)]):
        for screen, sight in looks(key, seed):
            for region in sight.every:
                place, drawn = (screen, region), str(sight.render_region(region))
                patch = markup.patch(sent.get(place, ""), drawn)
                there = markup._parts(sent.get(place, "")).keys() & markup._parts(drawn).keys()
                assert not any(part in patch for part in there), place
                shown[place] = filled(patch, shown.get(place, ""))
                sent[place] = drawn
                assert shown[place] == markup.strip_markers(drawn), place
                assert markup.BEGIN not in shown[place]
                assert markup.END not in shown[place]


@pytest.mark.parametrize("key", registry())
def test_the_id_of_a_part_is_unique_on_its_page(key: str) -> None:
    """Else a page would keep another element than the one that the server means."""
    for screen, sight in looks(key, 0):
        page = [str(sight.render_region(region)) for region in sight.every]
        ids = Counter(name for html in page for name in ID.findall(html))
        for html in page:
            for part in html.split(markup.BEGIN)[1:]:
                name = ID.search(part.partition(">")[0])
                assert name, part
                assert ids[name[1]] == 1, (screen, name[1])


def test_the_pushes_of_a_move_at_the_card_table_are_small() -> None:
    """What a GM and five players get of it together."""
    module, secret, sent, size = registry()["uroboros"], "secret", defaultdict(str), 0
    first, *_ = random_game(module, 5, secret)
    cached = opened(module, first.snapshot)
    for number, (seat, asked) in enumerate(islice(scripts.usual(5), MOVES), 1):
        move = decode_move(module, msgspec.json.encode(asked))
        snapshot, events = step(module, bytes(cached.table.snapshot), seat, move, Fate(secret, number))
        row = Move(number=number, seat=seat, client_id=uuid.uuid4(), events=encode(events))
        cached = cached.after_move(row, module.load(snapshot), snapshot, None)
        shared = spectator_view(cached)
        for screen in screens(module, cached)[:6]:
            sight = ScreenView(cached, screen, ScreenExtras(can_undo=cached.mover == screen.seat), shared)
            html = {name: str(sight.render_region(name)) for name in sight.visible_regions(())}
            changed = {name: drawn for name, drawn in html.items() if sent[screen, name] != drawn}
            patches = {name: markup.patch(sent[screen, name], drawn) for name, drawn in changed.items()}
            sent |= {(screen, name): drawn for name, drawn in changed.items()}
            size += len(push(patches).encode()) * (number > UNTIL_FULL)
    assert size / (MOVES - UNTIL_FULL) < 25_000


def test_a_patch_leaves_out_unchanged_parts() -> None:
    first = '<ol id="l"><!--part--><li id="a">1</li><!--/part--><!--part--><li id="b">2</li><!--/part--></ol>'
    then = first.replace(">2<", ">3<").replace("</ol>", '<!--part--><li id="c">4</li><!--/part--></ol>')
    assert markup.patch("", first) == '<ol id="l"><li id="a">1</li><li id="b">2</li></ol>'
    assert markup.patch(first, then) == (
        '<ol id="l"><li id="a" data-kept></li><li id="b">3</li><li id="c">4</li></ol>'
    )
