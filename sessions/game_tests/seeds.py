"""Seeds of random games: a few for every run, more for ``make test-long``."""

from __future__ import annotations

from typing import Any

import pytest


def seeds(plain: int, of: int) -> list[Any]:
    """Return the seeds below ``of``, all but the first ``plain`` for the long run only."""
    return [*range(plain), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(plain, of))]
