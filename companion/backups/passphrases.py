"""The passphrase of a backup, from the settings or typed at a prompt."""

from __future__ import annotations

import sys
from getpass import getpass
from pathlib import Path

from django.conf import settings
from django.utils.translation import gettext as _

from companion.backups import archive
from companion.files.unusable_files import Unusable


def passphrase_for(file: Path) -> str:
    """Return the passphrase of a backup; "" if it is not encrypted.

    :raises Unusable: it is not in the settings, and there is no terminal to ask at.
    :raises OSError: the file cannot be read.
    """
    if not archive.is_encrypted(file):
        return ""
    if settings.BACKUP_PASSPHRASE:
        return str(settings.BACKUP_PASSPHRASE)
    if sys.stdin.isatty():
        return getpass(_("Passphrase: "))
    raise Unusable(_("The backup has a passphrase. Say it in BACKUP_PASSPHRASE. Nothing was changed."))
