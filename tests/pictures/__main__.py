"""``python -m tests.pictures``: takes the pictures of the help and of the README from the product.

Plays a check at a GM's desk, two phones and the table face, with every card where the script wants it, once
in each language, and writes ``static/help/<language>/``, ``docs/check.webp`` and icons.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main() -> None:
    folder = tempfile.mkdtemp(prefix="takujo-pictures-")
    # An address as it is at home stands in links and QR codes, so that they look alike in every run.
    os.environ |= {
        "TAKUJO_VAR": folder,
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "PUBLIC_URL": "http://192.168.1.20:8000",
    }
    try:
        import django

        django.setup()
        from tests.pictures.taking import take

        take(ROOT / "static" / "help", ROOT / "docs" / "check.webp")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


main()
