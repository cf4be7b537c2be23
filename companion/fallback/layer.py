"""A channel layer in Redis; while Redis is unreachable, each process still delivers to its own pages.

Consumers must not rely on its messages: they query the database at their next heartbeat. So a message that
cannot reach other processes is no error, and a failed subscription is repeated when Redis is back.
"""

from __future__ import annotations

import asyncio
from typing import Any

from channels_redis.pubsub import RedisPubSubChannelLayer, RedisPubSubLoopLayer, RedisSingleShardConnection
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as NoConnection
from redis.exceptions import RedisError

from companion.fallback.outages import PAUSE, REDIS

NO_REDIS = (RedisError, OSError, asyncio.TimeoutError)
#: As in companion.fallback.cache, plus a periodic check of the connection that only listens.
PATIENCE = {
    "socket_connect_timeout": 1,
    "socket_timeout": 1,
    "health_check_interval": 10,
    "retry": Retry(NoBackoff(), 1, supported_errors=(NoConnection,)),
}


class SteadyLayer(RedisPubSubChannelLayer):
    """The channel layer, with one inner layer per event loop."""

    def __init__(self, *, hosts: list[dict[str, Any]], **options: Any) -> None:
        super().__init__(hosts=[{**PATIENCE, **host} for host in hosts], **options)

    def _get_layer(self) -> Any:
        loop = asyncio.get_running_loop()
        if loop not in self._layers:
            # The library creates the layer and closes it with the loop.
            layer = super()._get_layer()
            layer._shards = [SteadyShard(shard.host, layer) for shard in layer._shards]
        return self._layers[loop]


class SteadyShard(RedisSingleShardConnection):
    """The connections to one Redis server: one to publish, one to subscribe."""

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
