"""A cache in Redis that falls back to the memory of each process while Redis is unreachable.

So no request fails because presence or a counter of tries cannot be written. Rate limits still hold, counted
per process. The fallback's content is dropped when Redis is back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as NoConnection
from redis.exceptions import RedisError
from redis.retry import Retry

from companion.fallback.outages import REDIS

NO_REDIS = (RedisError, OSError)
#: Timeouts of a second, and one immediate retry for connections that a restart of Redis has closed.
PATIENCE = {
    "socket_connect_timeout": 1,
    "socket_timeout": 1,
    "retry": Retry(NoBackoff(), 1, supported_errors=(NoConnection,)),
}


def _steady(name: str) -> Callable[..., Any]:
    def ask(self: SteadyCache, *arguments: Any, **options: Any) -> Any:
        return self.ask(name, *arguments, **options)

    return ask


class SteadyCache(RedisCache):
    """Django's Redis cache with a fallback in this process."""

    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        super().__init__(server, {**params, "OPTIONS": {**PATIENCE, **params.get("OPTIONS", {})}})
        self._own = LocMemCache("while Redis is away", {"MAX_ENTRIES": 10_000})

    def ask(self, name: str, *arguments: Any, **options: Any) -> Any:
        """Call a method of the Redis cache, or of the fallback during an outage."""
        if not REDIS.should_skip():
            try:
                answer = getattr(RedisCache, name)(self, *arguments, **options)
            except NO_REDIS as problem:
                REDIS.record_failure(problem)
            else:
                if REDIS.lasts:
                    self._own.clear()
                    REDIS.record_recovery()
                return answer
        return getattr(self._own, name)(*arguments, **options)

    add, get, set, touch, delete = map(_steady, ("add", "get", "set", "touch", "delete"))
    has_key, incr, clear = map(_steady, ("has_key", "incr", "clear"))
    get_many, set_many, delete_many = map(_steady, ("get_many", "set_many", "delete_many"))
