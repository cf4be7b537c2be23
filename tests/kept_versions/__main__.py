"""``python -m tests.kept_versions NAME``: keeps what this version leaves behind, for the tests of later ones.

It plays a few evenings in a folder of its own and writes ``tests/kept_versions/NAME/``: the database as this
version has it, and the file of its campaign. A name that is there already stays as it is: nothing that was
kept is ever made anew.
"""

from __future__ import annotations

import lzma
import os
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path

DATABASE, FILE = "takujo.sqlite3.xz", "campaign.zip"


def keep(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as var:
        os.environ |= {"TAKUJO_VAR": var, "DJANGO_SETTINGS_MODULE": "companion.settings", "DATABASE_URL": ""}
        import django

        django.setup()
        from django.core.management import call_command

        from tests.kept_versions.data import lay_out

        call_command("migrate", verbosity=0)
        campaign = lay_out()
        copy = Path(var) / "copy"
        with closing(sqlite3.connect(Path(var) / "takujo.sqlite3")) as database:
            database.execute("VACUUM INTO ?", [str(copy)])
        folder.mkdir()
        call_command("export_campaign", str(campaign.pk), str(folder / FILE))
        (folder / DATABASE).write_bytes(lzma.compress(copy.read_bytes(), preset=9))


if __name__ == "__main__":
    keep(Path(__file__).with_name(sys.argv[1]))
