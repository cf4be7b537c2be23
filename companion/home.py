"""The secret key that a table at home keeps beside its database."""

from __future__ import annotations

import secrets
from pathlib import Path


def home_secret_key(var_dir: Path) -> str:
    """Return the secret key kept in ``var_dir``, made on the first run and readable by its owner alone."""
    path = var_dir / "secret-key"
    if not path.exists():
        var_dir.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(50))
    return path.read_text()
