"""Static files: ``collectstatic`` bundles them, and a middleware serves also those of a newer version.

Imports are inlined, comments and white space removed. The source files are small. Without ``collectstatic``
(in tests, with DEBUG=1) browsers follow ``@import`` and ``import`` by themselves. With it, a page loads a few
style sheets and scripts instead of forty files.

During a rolling update, pages of the newer version request their files from old workers.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.core.files.base import ContentFile
from django.core.files.storage import InMemoryStorage, Storage
from django.http import HttpRequest, HttpResponseBase
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.storage import CompressedManifestStaticFilesStorage

#: Style sheets import only files of their own folder, so that relative URLs stay valid when inlined.
IMPORT = re.compile(
    r"""^(?:@import url\("(?P<style>[\w.-]+)"\)|import "(?P<script>[\w./-]+)");\n""", re.MULTILINE
)
KINDS = {".css": "text/css", ".js": "application/javascript", ".svg": "image/svg+xml"}
#: Files of libraries that are minified already.
SMALL = re.compile(r"\.min\.")
Sources = Mapping[str, tuple[Storage, str]]


class BundlingStorage(CompressedManifestStaticFilesStorage):
    """WhiteNoise's storage with hashed names and compression, applied after bundling and minifying."""

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        if not dry_run:
            paths = bundle_files(paths)
        yield from super().post_process(paths, dry_run=dry_run, **options)

    def compress_files(self, paths: set[str]) -> Iterator[tuple[str, str]]:
        # Only hashed names are served, and a file that was compressed under its hash cannot have changed.
        served = {name for name in self.hashed_files.values() if not self.exists(f"{name}.gz")}
        yield from super().compress_files(paths & served)


def bundle_files(sources: Sources) -> dict[str, tuple[Storage, str]]:
    """Return the same files, with scripts, style sheets and SVG bundled, and minified if possible."""
    minify, made = minifier(), InMemoryStorage()
    # On Windows the names have backslashes, but imports in the files have slashes.
    sources = {name.replace("\\", "/"): source for name, source in sources.items()}
    for name in sources:
        kind = KINDS.get(posixpath.splitext(name)[1])
        if kind and not SMALL.search(name):
            made.save(name, ContentFile(minify(kind, inline_imports(name, sources)).encode()))
    return {name: (made, name) if made.exists(name) else source for name, source in sources.items()}


def minifier() -> Callable[[str, str], str]:
    """Return a function that minifies a text of a media type, or the identity without ``minify``."""
    # Imported here because only collectstatic needs it, and it loads another language's runtime.
    try:
        import minify
    except ImportError:
        return lambda kind, text: text
    small: Callable[[str, str], str] = minify.string
    return small


def inline_imports(name: str, sources: Sources, seen: set[str] | None = None) -> str:
    seen = set() if seen is None else seen

    def replace_import(found: re.Match[str]) -> str:
        address = found["style"] or found["script"]
        part = posixpath.normpath(posixpath.join(posixpath.dirname(name), address))
        if part in seen:
            return ""
        seen.add(part)
        return inline_imports(part, sources, seen)

    storage, path = sources[name]
    with storage.open(path) as source:
        return IMPORT.sub(replace_import, source.read().decode())


class LaterFilesMiddleware(WhiteNoiseMiddleware):
    """WhiteNoise's middleware that also finds files collected after this process started."""

    def __init__(self, get_response: object = None) -> None:
        super().__init__(get_response)
        if self.static_root and not self.autorefresh:
            # find_file searches these directories; with autorefresh WhiteNoise adds this one itself.
            self.directories.append((f"{self.static_root}/", self.static_prefix))

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        path = request.path_info
        if path.startswith(self.static_prefix) and path not in self.files and (later := self.find_file(path)):
            self.files[path] = later
        answer: HttpResponseBase = super().__call__(request)
        return answer
