"""Compile translations with Babel, so that no gettext tools are needed.

This module does not import Django: ``hatch_build.py`` uses it alone to compile the wheel's catalogues.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import PoFileError, read_po

#: The folders with catalogues: shared, of the apps, and of the games.
FOLDERS = ["companion", "characters", "sessions", "sessions/modules/*"]


def catalogues_outside(locales: Iterable[Path], root: Path) -> Iterator[Path]:
    """Yield the .po files of games outside the product that may be compiled where they are."""
    for folder in locales:
        if not folder.is_relative_to(root) and os.access(folder, os.W_OK):
            yield from sorted(folder.glob("*/LC_MESSAGES/*.po"))


def catalogues(root: Path) -> Iterator[Path]:
    """Yield every .po file of the product; a wheel has only compiled ones."""
    for folder in FOLDERS:
        yield from sorted(root.glob(f"{folder}/locale/*/LC_MESSAGES/*.po"))


def compile_catalogue(po: Path) -> bool:
    """Write the .mo beside a .po unless it is newer. Raise ValueError for a broken catalogue."""
    mo = po.with_suffix(".mo")
    if mo.exists() and mo.stat().st_mtime_ns > po.stat().st_mtime_ns:
        return False
    with po.open("rb") as source:
        # abort_invalid: a broken catalogue raises instead of losing half of its messages.
        try:
            catalogue = read_po(source, locale=po.parts[-3], abort_invalid=True)
        except (PoFileError, ValueError) as problem:
            raise ValueError(f"{po}: {problem}") from problem
    # Write to another name and rename: another test worker or a running server may read at the same time.
    half = mo.with_suffix(f".{id(catalogue)}.half")
    with half.open("wb") as target:
        write_mo(target, catalogue)
    half.replace(mo)
    return True
