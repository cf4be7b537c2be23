"""The pieces of ``docs/games.md`` that are made from the code.

``python -m tests.games_page`` writes them again.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import MISSING, Field, fields, is_dataclass
from pathlib import Path
from typing import Any, get_args

from django.template import engines

from sessions import game
from sessions.game import Module
from sessions.management import starter
from tests.servers import ROOT

PAGE = ROOT / "docs" / "games.md"
#: Scripts whose attributes games may write.
SCRIPTS = (
    "hand",
    "keys",
    "cover",
    "travel",
    "moments",
    "lively",
    "lessons",
    "silence",
    "keys",
    "first-game",
    "insight",
    "emotes",
    "result",
    "live",
    "base",
)
STYLES = ("tokens", "card", "desk")
#: Names that cannot speak for themselves.
WORDS_FOR = {
    id(game.CONTRACT): "The number of this contract.",
    id(game.AnyModule): "A module of any game.",
    id(game.Seat): "A text: ``p1`` … ``p8``, and ``gm``.",
    id(game.Json): "A ``dict`` with texts for keys.",
}
MADE = re.compile(r"(<!-- made: (\w+) -->\n).*?(<!-- /made -->)", re.DOTALL)


def made() -> str:
    """Return the page as it should be."""
    return MADE.sub(lambda found: found[1] + PIECES[found[2]]() + found[3], PAGE.read_text("utf-8"))


def contract() -> str:
    groups = [each for each in fields(Module) if is_dataclass(_group(each))]
    tables = [_table("Module", Module)]
    tables += [_table(f"{each.name}={_group(each).__name__}(…)", _group(each)) for each in groups]
    return "\n".join(tables)


def fate() -> str:
    """The ways to chance, as a game calls them."""
    ways = [(name, one) for name, one in vars(game.Fate).items() if callable(one) and name[0] != "_"]
    rows = [f"| `{name}{_called(one)}` | {_first(one)} |\n" for name, one in ways]
    return "| `fate.` | meaning |\n| --- | --- |\n" + "".join(rows)


def _called(function: Any) -> str:
    names = [name for name in inspect.signature(function).parameters if name != "self"]
    return f"({', '.join(names)})"


def imports() -> str:
    rows = [f"| `{name}` | {_first(getattr(game, name))} |\n" for name in game.__all__]
    return "| name | meaning |\n| --- | --- |\n" + "".join(rows)


def functions() -> str:
    jinja: Any = engines["jinja2"]
    ours = {
        **{name: one for name, one in jinja.env.globals.items() if _is_ours(one)},
        **{f"… \\| {name}": one for name, one in jinja.env.filters.items() if _is_ours(one)},
    }
    rows = [f"| `{name}` | {_first(one)} |\n" for name, one in sorted(ours.items())]
    return "| name | meaning |\n| --- | --- |\n" + "".join(rows)


def kit() -> str:
    return "".join(_pieces(path) for path in sorted((ROOT / "templates/tables/kit").glob("*.jinja")))


def attributes() -> str:
    return "".join(f"`{name}.js`:\n\n```\n{''.join(_told(name))}```\n\n" for name in SCRIPTS)


def properties() -> str:
    return "".join(f"`{name}.css`: {', '.join(_properties(name))}\n\n" for name in STYLES)


PIECES: dict[str, Callable[[], str]] = {
    "contract": contract,
    "imports": imports,
    "fate": fate,
    "functions": functions,
    "kit": kit,
    "attributes": attributes,
    "properties": properties,
}


def _table(title: str, of: type[Any]) -> str:
    words = _words(of)
    rows = [f"| `{each.name}` | {_shown(each)} | {words[each.name]} |\n" for each in fields(of)]
    about = " ".join(str(inspect.getdoc(of)).split()).replace("``", "`")
    return f"`{title}`: {about}\n\n| field | | meaning |\n| --- | --- | --- |\n{''.join(rows)}"


def _words(of: type[Any]) -> dict[str, str]:
    """Return the comments above the fields of a class, by field; a group has its own words."""
    said: dict[str, str] = {}
    above: list[str] = []
    for line in inspect.getsource(of).splitlines():
        stripped = line.strip()
        if stripped.startswith("#: "):
            above.append(stripped[3:])
        elif found := re.match(r"    (\w+): ", line):
            said[found[1]] = " ".join(above) or _first(_group_of(of, found[1]))
            above = []
    return {name: text.replace("|", "\\|").replace("``", "`") for name, text in said.items()}


def _group_of(of: type[Any], name: str) -> Any:
    return next((_group(each) for each in fields(of) if each.name == name), None)


def _group(each: Field[Any]) -> Any:
    """Return the class of a field that is a group of fields."""
    name = str(each.type).split("[")[0].removesuffix(" | None")
    return getattr(game, name, None) if name[:1].isupper() else None


def _shown(each: Field[Any]) -> str:
    """Return the file of the starter in which a field that every game has is written."""
    if each.default is not MISSING or each.default_factory is not MISSING:
        return "optional"
    given = getattr(starter.module, each.name, None)
    home = getattr(next(iter(get_args(given)), given), "__module__", "")
    file = home.removeprefix(starter.__name__).strip(".") if starter.__name__ in home else "__init__"
    return f"`{file}.py`"


def _first(one: Any) -> str:
    """Return the first paragraph of what the code says of itself."""
    said = inspect.getdoc(one) if callable(one) else None
    said = WORDS_FOR.get(id(one), said)
    return " ".join((said or "").split("\n\n")[0].split()).replace("``", "`").replace("|", "\\|")


def _is_ours(one: Any) -> bool:
    return str(getattr(one, "__module__", "")).split(".")[0] in ("companion", "sessions")


def _pieces(path: Path) -> str:
    """Return the macros of a file of the kit, each with the comment above it."""
    found = re.findall(r"(?:\{# ([^#]*?) #\}\s*)?\{% macro (\w+\([^%]*\)) %\}", path.read_text("utf-8"))
    rows = "".join(f"* `{macro}` {' '.join(words.split())}\n" for words, macro in found)
    return f"`kit/{path.name}`\n\n{rows}\n"


def _told(name: str) -> Iterator[str]:
    """Yield the comments of a script that name attributes."""
    for line in (ROOT / f"static/js/{name}.js").read_text("utf-8").splitlines():
        stripped = line.strip()
        if stripped.startswith("//") and re.search(r"data-|class|\.[a-z-]+ ", stripped):
            yield re.sub(r"^// ?|(?<=//) ---|-{3,} ?", "", stripped).strip() + "\n"


def _properties(name: str) -> list[str]:
    text = (ROOT / f"static/css/{name}.css").read_text("utf-8")
    return [f"`{found}`" for found in dict.fromkeys(re.findall(r"(?<![\w(-])(--[a-z][\w-]*)", text))]


if __name__ == "__main__":
    import os

    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    PAGE.write_text(made(), "utf-8")
