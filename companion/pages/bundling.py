"""Static files as they are served: with what they import in its place, and without what only people read.

Their sources are small, and where nothing is gathered (in tests, with DEBUG=1) browsers follow ``@import``
and ``import`` by themselves. Gathered, a page has a style sheet or two and a script or two in place of forty
files.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.core.files.base import ContentFile
from django.core.files.storage import InMemoryStorage, Storage
from whitenoise.storage import CompressedManifestStaticFilesStorage

#: A style sheet imports those beside it alone: addresses in them are then right in both.
IMPORT = re.compile(
    r"""^(?:@import url\("(?P<style>[\w.-]+)"\)|import "(?P<script>[\w./-]+)");\n""", re.MULTILINE
)
KINDS = {".css": "text/css", ".js": "application/javascript", ".svg": "image/svg+xml"}
#: Whoever made these has done it already.
SMALL = re.compile(r"\.min\.")

Sources = Mapping[str, tuple[Storage, str]]


class BundlingStorage(CompressedManifestStaticFilesStorage):
    """Gives every file a name by its content, and compresses it, once it is whole and small."""

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        if not dry_run:
            paths = bundled(paths)
        yield from super().post_process(paths, dry_run=dry_run, **options)

    def compress_files(self, paths: set[str]) -> Iterator[tuple[str, str]]:
        # Only names by content are served, and what was compressed under one before is the same.
        served = {name for name in self.hashed_files.values() if not self.exists(f"{name}.gz")}
        yield from super().compress_files(paths & served)


def bundled(sources: Sources) -> dict[str, tuple[Storage, str]]:
    """Return the same files, those of ours whole, and small where there is a minifier for this machine."""
    smaller = minifier()
    made = InMemoryStorage()
    # On Windows they are gathered under names of its kind, which no address in them has.
    sources = {name.replace("\\", "/"): source for name, source in sources.items()}
    for name in sources:
        kind = KINDS.get(posixpath.splitext(name)[1])
        if kind and not SMALL.search(name):
            made.save(name, ContentFile(smaller(kind, whole(name, sources)).encode()))
    return {name: (made, name) if made.exists(name) else source for name, source in sources.items()}


def minifier() -> Callable[[str, str], str]:
    """Return what makes a text of some kind small; as it is where that is not installed (pyproject.toml)."""
    # Only who gathers files needs it, and it brings the runtime of another language into the process.
    try:
        import minify
    except ImportError:
        return lambda kind, text: text
    small: Callable[[str, str], str] = minify.string
    return small


def whole(name: str, sources: Sources, seen: set[str] | None = None) -> str:
    """Return the text of a file with what it imports in its place, each but once."""
    seen = set() if seen is None else seen

    def imported(found: re.Match[str]) -> str:
        address = found["style"] or found["script"]
        part = posixpath.normpath(posixpath.join(posixpath.dirname(name), address))
        if part in seen:
            return ""
        seen.add(part)
        return whole(part, sources, seen)

    storage, path = sources[name]
    with storage.open(path) as source:
        return IMPORT.sub(imported, source.read().decode())
