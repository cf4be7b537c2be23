"""Brings the tests of this folder into the test run of a game's package."""

from __future__ import annotations

from pathlib import Path

import pytest

#: The setting with the keys of the games that are tested.
GAMES = "takujo_games"
MARKERS = {
    "rule(*ids)": "the rule ids of a game's RULES.md that this test stands for",
    "browser": "needs Chromium",
    "long": "more seeds and whole games, run by -m long",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini(GAMES, "the keys of the games to be tested (default: all)", type="args")


def pytest_configure(config: pytest.Config) -> None:
    for name, meaning in MARKERS.items():
        config.addinivalue_line("markers", f"{name}: {meaning}")
    if not config.getini(GAMES):
        return
    config.option.markexpr = config.option.markexpr or "not long"
    if config.args_source is not pytest.Config.ArgsSource.ARGS:  # Whoever names tests wants those alone.
        config.args.append(str(Path(__file__).parent))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if metafunc.module.__package__ == __package__ and "module" in metafunc.fixturenames:
        from sessions.engine.registry import registry  # not before Django has its settings

        keys = metafunc.config.getini(GAMES) or list(registry())
        metafunc.parametrize("module", [registry()[key] for key in keys], ids=keys)
