"""Token buckets: a number of requests at once, then a number per second."""

from __future__ import annotations

import time
from collections.abc import Hashable


class Bucket:
    """The token bucket of one visitor: ``at_once`` tokens, refilled with ``a_second`` per second."""

    def __init__(self, at_once: float, a_second: float) -> None:
        self.at_once, self.a_second = at_once, a_second
        self._full_at = 0.0

    def spend(self) -> None:
        self._full_at = max(self._full_at, time.monotonic()) + 1 / self.a_second

    @property
    def wait(self) -> float:
        """The seconds until a token is available."""
        return max(0.0, self._full_at - time.monotonic() - (self.at_once - 1) / self.a_second)

    @property
    def full_in(self) -> float:
        """The seconds until the bucket is full."""
        return max(0.0, self._full_at - time.monotonic())


class Buckets:
    """Token buckets by key, of which at most ``most`` are kept before full ones are dropped."""

    def __init__(self, at_once: float, a_second: float, most: int = 10_000) -> None:
        self.at_once, self.a_second, self.most = at_once, a_second, most
        self._known: dict[Hashable, Bucket] = {}

    def bucket_for(self, key: Hashable) -> Bucket:
        if len(self._known) >= self.most:
            # Drop full buckets: they equal new ones.
            self._known = {key: bucket for key, bucket in self._known.items() if bucket.full_in}
        return self._known.setdefault(key, Bucket(self.at_once, self.a_second))
