"""Write a new game for its author to change: a copy of the starter with another key and name."""

from __future__ import annotations

import importlib
import re
from argparse import ArgumentParser, ArgumentTypeError
from keyword import iskeyword
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from django.core.management.base import BaseCommand, CommandError

from companion.games import FoundGame
from sessions.engine.bots import random_game
from sessions.engine.playthrough import read_script, run_script
from sessions.engine.registry import load_games, registry
from sessions.engine.step import encode
from sessions.game import AnyModule

#: A small complete game with the key ``starter``; new games are copied from it.
STARTER = Path(__file__).parent / "starter"


class GameKind(NamedTuple):
    """A kind of new game: a folder whose files replace those of the starter."""

    files: Path
    fewest: int = 1
    has_gm: bool = False


KINDS = {
    "hand": GameKind(STARTER, has_gm=True),
    "simultaneous": GameKind(STARTER.with_name("starter_simultaneous")),
    "bluff": GameKind(STARTER.with_name("starter_bluff"), fewest=2),
}
#: Lines between two of these marks are for games with a GM.
FOR_A_GM = re.compile(r"^[^\n]*\[gm\][^\n]*\n(.*?)^[^\n]*\[/gm\][^\n]*\n", re.MULTILINE | re.DOTALL)
SENTENCE = re.compile('^msgid "(.*)"', re.MULTILINE)
GM_LAYOUT = "gm.html"
SEATS_AT_MOST = 8
SECRET = "first game"  # noqa: S105 (a playthrough hides nothing)


class StartCommand(BaseCommand):
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("key", type=key, help="the name of its folder: small letters")
        parser.add_argument(
            "--seats", type=seats, default=range(2, 5), help="how many may play, such as 2-4 (the default)"
        )
        parser.add_argument("--gm", action="store_true", help="a GM sits at the table besides")
        parser.add_argument(
            "--kind",
            choices=KINDS,
            default="hand",
            help="cards laid in turns (the default), chosen at the same time, or laid face down with a claim",
        )
        parser.add_argument("--name", type=name, help="the game's name as players read it")

    def begin(self, game: FoundGame, options: dict[str, Any]) -> None:
        """Write a game that runs, and a playthrough of it.

        :raises CommandError: the game exists already, or its kind does not have these seats.
        """
        assert game.folder
        if game.key in registry() or game.folder.exists():
            raise CommandError(f"There is a {game.key} already.")
        kind = KINDS[options["kind"]]
        if options["gm"] and not kind.has_gm:
            raise CommandError("Only a game of the kind hand has a GM to begin with.")
        if options["seats"][0] < kind.fewest:
            raise CommandError(f"Games of the kind {options['kind']} have {kind.fewest} players or more.")
        called = options["name"] or game.key.capitalize()
        write_game(game.folder, called, options["seats"], gm=options["gm"], kind=kind)
        write_playthrough(game.folder, load_new_game(game))


def key(text: str) -> str:
    if not re.fullmatch("[a-z]{2,20}", text) or iskeyword(text):
        raise ArgumentTypeError("2 to 20 small letters that are no word of Python")
    return text


def seats(text: str) -> range:
    found = re.fullmatch(r"(\d)(?:-(\d))?", text)
    if found is None or not 1 <= int(found[1]) <= int(found[2] or found[1]) <= SEATS_AT_MOST:
        raise ArgumentTypeError(f"1 to {SEATS_AT_MOST}, such as 2-4 or 3")
    return range(int(found[1]), int(found[2] or found[1]) + 1)


def name(text: str) -> str:
    if not text.strip() or re.search(r'["\\{}<>&%\n]', text):
        raise ArgumentTypeError("some words without quotes, backslashes, braces, angles, & and %")
    return text.strip()


def write_game(folder: Path, called: str, players: range, *, gm: bool, kind: GameKind) -> None:
    """Copy the starter's files, or those of this kind where it has its own, under another key and name."""
    module, first, last = folder.name, players[0], players[-1]
    words = {
        "range(2, 5)": f"range({first}, {last + 1})",
        "2–4": f"{first}–{last}" if first < last else str(first),
        "ST-": f"{module[:2].upper()}-",
        "Starter": called,
        "starter": module,
    }
    known = re.compile("|".join(map(re.escape, words)))
    roots = (STARTER, kind.files)
    sources = {path.relative_to(root): path for root in roots for path in root.rglob("*.*")}
    for place, source in sorted(sources.items()):
        if source.suffix in (".pyc", ".mo") or (source.name == GM_LAYOUT and not gm):
            continue
        text = FOR_A_GM.sub(r"\1" if gm else "", source.read_text(encoding="utf-8"))
        text = known.sub(lambda word: words[word[0]], text)
        target = folder / str(place).replace("starter", module)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(in_order(text) if source.suffix == ".po" else text, encoding="utf-8")


def in_order(catalogue: str) -> str:
    """Return a catalogue with its entries sorted by msgid, as ``make messages`` would write it."""
    head, *entries = catalogue.strip().split("\n\n")
    return "\n\n".join([head, *sorted(entries, key=lambda entry: SENTENCE.findall(entry)[0])]) + "\n"


def load_new_game(game: FoundGame) -> AnyModule:
    """Add a new game to the registry of this process.

    :raises CommandError: the game cannot be loaded.
    """
    importlib.invalidate_caches()
    new = load_games([game])
    if new.left_out:
        raise CommandError(f"{game.package}: {new.left_out[game.package]}")
    registry().update(new.modules)
    return new.modules[game.key]


def write_playthrough(folder: Path, module: AnyModule) -> None:
    """Write a random game of the fewest players as a script, and its output as the golden file."""
    players = module.seats[0]
    _, *moves = random_game(module, players, SECRET)
    steps: list[dict[str, Any]] = [{"view": f"p{players}"}, {"legal": f"p{players}"}]
    steps += [{"seat": played.seat, "move": msgspec.json.decode(played.move)} for played in moves]
    steps.append({"view": None})
    head = {"module": module.key, "seats": module.seat_list(players), "options": {}, "secret": SECRET}
    listed = ",\n".join("   " + _line(step) for step in steps)
    script = folder / "playthroughs" / "first_game.json"
    script.parent.mkdir()
    script.write_text(f'{_line(head)[:-1]},\n "steps": [\n{listed}\n ]}}\n', encoding="utf-8")
    printed = [encode(line).decode() for line, _ in run_script(read_script(script.read_bytes()))]
    script.with_suffix(".golden").write_text("\n".join(printed) + "\n", encoding="utf-8")


def _line(value: dict[str, Any]) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=0).decode()
