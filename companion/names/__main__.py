"""Write ``confusables.txt`` for a new version of Unicode.

``python -m companion.names 17.0.0 < security/confusables.txt``
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

from companion.names import TABLE


def table(version: str, lines: Iterable[str]) -> Iterator[str]:
    """Convert the lines of Unicode's table into those of ours."""
    yield f"# Unicode {version}, security/confusables.txt, by prototype (companion/names/__main__.py)."
    yield "# Copyright (c) 1991-2025 Unicode, Inc. Unicode License v3: https://www.unicode.org/license.txt"
    sources: dict[str, list[str]] = {}
    for line in lines:
        fields = [field.strip() for field in line.lstrip("\ufeff").split("#")[0].split(";")]
        if len(fields) == 3:
            sources.setdefault(fields[1], []).append(fields[0])
    for prototype, alike in sorted(sources.items()):
        yield f"{prototype};{' '.join(alike)}"


if __name__ == "__main__":
    written = "\n".join(table(sys.argv[1], sys.stdin))
    TABLE.write_text(written + "\n", "ascii")
