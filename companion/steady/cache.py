"""The cache in Redis; while Redis is away, each process remembers for itself.

So nobody is sent away because presence or a counter of tries cannot be written. Limits hold on, counted by
each process alone. What was remembered meanwhile is forgotten when Redis is back.
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

from companion.steady.outages import REDIS

NO_REDIS = (RedisError, OSError)
#: Who waits for Redis waits a second at most; one more try at once, for connections from before a restart.
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
    """Django's cache in Redis, or in this process."""

    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        super().__init__(server, {**params, "OPTIONS": {**PATIENCE, **params.get("OPTIONS", {})}})
        self._own = LocMemCache("while Redis is away", {"MAX_ENTRIES": 10_000})

    def ask(self, name: str, *arguments: Any, **options: Any) -> Any:
        """Do what the method of Redis' cache does, or what that of this process does."""
        if not REDIS.is_known():
            try:
                answer = getattr(RedisCache, name)(self, *arguments, **options)
            except NO_REDIS as problem:
                REDIS.found(problem)
            else:
                if REDIS.lasts:
                    self._own.clear()
                    REDIS.over()
                return answer
        return getattr(self._own, name)(*arguments, **options)

    add, get, set, touch, delete = map(_steady, ("add", "get", "set", "touch", "delete"))
    has_key, incr, clear = map(_steady, ("has_key", "incr", "clear"))
    get_many, set_many, delete_many = map(_steady, ("get_many", "set_many", "delete_many"))
