"""The log without secrets: keys that open something stay out of it, however a request with one ends."""

from __future__ import annotations

import logging
import re

#: Addresses whose next part is a key: the GM's and seats' links, codes, faces, shared things, new passwords.
KEYS = re.compile(r"(/(?:gm/enter|seat|j|face|ws/faces|r|characters/shared|account/password/new)/)[^/\s?]+")


class WithoutKeys(logging.Filter):
    """Puts dots in place of the keys in addresses."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = KEYS.sub(r"\1…", record.getMessage()), ()
        return True
