"""Files of users: pictures, sounds, and the error for a file that cannot be imported, restored or written.

This file and pictures.py do not import Django: the exchange of characters uses them.
"""

from __future__ import annotations


class Unusable(Exception):
    """A file cannot be used. The message is a sentence for users. Nothing was changed."""
