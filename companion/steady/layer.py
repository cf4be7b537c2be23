"""The channel layer through Redis; while Redis is away, each process still tells its own pages.

Nobody may rely on a message of it: readers ask the database at their next heartbeat. So a message that cannot
be sent to others is no error, and a group that cannot be joined is joined when Redis is back.
"""

from __future__ import annotations

import asyncio
from typing import Any

from channels_redis.pubsub import RedisPubSubChannelLayer, RedisPubSubLoopLayer, RedisSingleShardConnection
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as NoConnection
from redis.exceptions import RedisError

from companion.steady.outages import PAUSE, REDIS

NO_REDIS = (RedisError, OSError, asyncio.TimeoutError)
#: As in steady_cache, and a question now and then whether the line that only listens still stands.
PATIENCE = {
    "socket_connect_timeout": 1,
    "socket_timeout": 1,
    "health_check_interval": 10,
    "retry": Retry(NoBackoff(), 1, supported_errors=(NoConnection,)),
}


class SteadyLayer(RedisPubSubChannelLayer):
    """The layer as Channels asks for it: one below for each event loop."""

    def __init__(self, *, hosts: list[dict[str, Any]], **options: Any) -> None:
        super().__init__(hosts=[{**PATIENCE, **host} for host in hosts], **options)

    def _get_layer(self) -> Any:
        loop = asyncio.get_running_loop()
        if loop not in self._layers:
            # The library makes it and sees to its end with the loop.
            layer = super()._get_layer()
            layer._shards = [SteadyShard(shard.host, layer) for shard in layer._shards]
        return self._layers[loop]


class SteadyShard(RedisSingleShardConnection):
    """The lines to one Redis: one to speak, one to listen."""

    def __init__(self, host: Any, channel_layer: RedisPubSubLoopLayer) -> None:
        super().__init__(host, channel_layer)
        #: What is to be listened to as soon as Redis is back.
        self._missing: set[str] = set()

    async def publish(self, channel: str, message: bytes) -> None:
        if not REDIS.is_known():
            try:
                await super().publish(channel, message)
            except NO_REDIS as problem:
                REDIS.found(problem)
            else:
                REDIS.over()
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
            # Still listened to; what comes for nobody is dropped.
            REDIS.found(problem)

    async def _listen_to(self, channel: str) -> None:
        try:
            await super().subscribe(channel)
        except NO_REDIS as problem:
            REDIS.found(problem)
        else:
            self._missing.discard(channel)

    async def _do_receiving(self) -> None:
        while True:
            try:
                await self._receive()
            except NO_REDIS as problem:
                REDIS.found(problem)

    async def _receive(self) -> None:
        """Hear one message, if there is one; after an outage, join the groups that could not be joined."""
        if REDIS.lasts:
            await asyncio.sleep(PAUSE)
            self._ensure_redis()
            await self._redis.ping()
            REDIS.over()
        if self._missing and not REDIS.lasts:
            for channel in list(self._missing):
                await self._listen_to(channel)
        if self._pubsub and self._pubsub.subscribed:
            message = await self._pubsub.get_message(ignore_subscribe_messages=True, timeout=0.1)
            self._receive_message(message)
        else:
            await asyncio.sleep(0.1)
