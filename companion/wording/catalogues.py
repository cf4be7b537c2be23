"""Translations compiled without gettext's tools, so that Python is all a machine needs.

No Django here: ``hatch_build.py`` compiles them into the wheel by this file alone.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import PoFileError, read_po

#: Shared words, those of the apps, and those of the games.
FOLDERS = ["companion", "characters", "sessions", "sessions/modules/*"]


def outside(locales: Iterable[Path], root: Path) -> Iterator[Path]:
    """Yield the .po files of games outside the product that may be compiled where they are."""
    for folder in locales:
        if not folder.is_relative_to(root) and os.access(folder, os.W_OK):
            yield from sorted(folder.glob("*/LC_MESSAGES/*.po"))


def catalogues(root: Path) -> Iterator[Path]:
    """Yield every .po file of the product; a wheel has none, its catalogues are compiled."""
    for folder in FOLDERS:
        yield from sorted(root.glob(f"{folder}/locale/*/LC_MESSAGES/*.po"))


def compile_catalogue(po: Path) -> bool:
    """Write the .mo beside a .po unless it is newer. True if it was written.

    :raises ValueError: the catalogue is broken; the text says which one and where.
    """
    mo = po.with_suffix(".mo")
    if mo.exists() and mo.stat().st_mtime_ns > po.stat().st_mtime_ns:
        return False
    with po.open("rb") as source:
        # A broken catalogue stops here instead of showing half of its words.
        try:
            catalogue = read_po(source, locale=po.parts[-3], abort_invalid=True)
        except (PoFileError, ValueError) as problem:
            raise ValueError(f"{po}: {problem}") from problem
    # Another test worker or a running server may read meanwhile, and must never see half a file.
    half = mo.with_suffix(f".{id(catalogue)}.half")
    with half.open("wb") as target:
        write_mo(target, catalogue)
    half.replace(mo)
    return True
