"""A cache and a channel layer in Redis, each with a fallback in this process while Redis is unreachable.

So no request fails because presence or a counter of tries cannot be written. Rate limits still hold, counted
per process. The content of the cache's fallback is dropped when Redis is back.

The channel layer delivers at least to the pages of its own process. Consumers must not rely on its messages:
they query the database at their next heartbeat. So a message that cannot reach other processes is no error,
and a failed subscription is repeated when Redis is back.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from channels_redis.pubsub import RedisPubSubChannelLayer, RedisPubSubLoopLayer, RedisSingleShardConnection
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as NoConnection
from redis.exceptions import RedisError
from redis.retry import Retry

from companion.fallback.outages import PAUSE, REDIS

NO_REDIS = (RedisError, OSError)
#: Timeouts of a second, and one immediate retry for connections that a restart of Redis has closed.
TIMEOUTS = {"socket_connect_timeout": 1, "socket_timeout": 1}
CACHE_OPTIONS = {**TIMEOUTS, "retry": Retry(NoBackoff(), 1, supported_errors=(NoConnection,))}
#: The channel layer also checks the connection that only listens, every ten seconds.
LAYER_OPTIONS = {
    **TIMEOUTS,
    "retry": AsyncRetry(NoBackoff(), 1, supported_errors=(NoConnection,)),
    "health_check_interval": 10,
}


def _steady(name: str) -> Callable[..., Any]:
    def ask(self: SteadyCache, *arguments: Any, **options: Any) -> Any:
        return self.ask(name, *arguments, **options)

    return ask


class SteadyCache(RedisCache):
    """Django's Redis cache with a fallback in this process."""

    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        super().__init__(server, {**params, "OPTIONS": {**CACHE_OPTIONS, **params.get("OPTIONS", {})}})
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


class SteadyLayer(RedisPubSubChannelLayer):
    """The channel layer, with one inner layer per event loop."""

    def __init__(self, *, hosts: list[dict[str, Any]], **options: Any) -> None:
        super().__init__(hosts=[{**LAYER_OPTIONS, **host} for host in hosts], **options)

    def _get_layer(self) -> Any:
        loop = asyncio.get_running_loop()
        if loop not in self._layers:
            # The library creates the layer and closes it with the loop.
            layer = super()._get_layer()
            layer._shards = [SteadyShard(shard.host, layer) for shard in layer._shards]
        return self._layers[loop]


class SteadyShard(RedisSingleShardConnection):
    def __init__(self, host: Any, channel_layer: RedisPubSubLoopLayer) -> None:
        super().__init__(host, channel_layer)
        #: The channels to subscribe to as soon as Redis is back.
        self._missing: set[str] = set()

    async def publish(self, channel: str, message: bytes) -> None:
        if not REDIS.should_skip():
            try:
                await super().publish(channel, message)
            except NO_REDIS as problem:
                REDIS.record_failure(problem)
            else:
                REDIS.record_recovery()
                return
        self._receive_message({"channel": channel, "data": message})

    async def subscribe(self, channel: str) -> None:
        self._missing.add(channel)
        if REDIS.lasts:
            self._ensure_receiver()
        else:
            await self._listen_to(channel)

    async def unsubscribe(self, channel: str) -> None:
        self._missing.discard(channel)
        try:
            await super().unsubscribe(channel)
        except NO_REDIS as problem:
            # The subscription remains; messages without a receiver are dropped.
            REDIS.record_failure(problem)

    async def _listen_to(self, channel: str) -> None:
        try:
            await super().subscribe(channel)
        except NO_REDIS as problem:
            REDIS.record_failure(problem)
        else:
            self._missing.discard(channel)

    async def _do_receiving(self) -> None:
        while True:
            try:
                await self._receive()
            except NO_REDIS as problem:
                REDIS.record_failure(problem)

    async def _receive(self) -> None:
        """Receive one message, if there is one. After an outage, repeat the failed subscriptions."""
        if REDIS.lasts:
            await asyncio.sleep(PAUSE)
            self._ensure_redis()
            await self._redis.ping()
            REDIS.record_recovery()
        if self._missing and not REDIS.lasts:
            for channel in list(self._missing):
                await self._listen_to(channel)
        if self._pubsub and self._pubsub.subscribed:
            message = await self._pubsub.get_message(ignore_subscribe_messages=True, timeout=0.1)
            self._receive_message(message)
        else:
            await asyncio.sleep(0.1)
