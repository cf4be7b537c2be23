"""The error for a file that cannot be imported, restored or written."""

from __future__ import annotations


class Unusable(Exception):
    """A file cannot be used. The message is a sentence for users. Nothing was changed."""
