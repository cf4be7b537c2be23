"""Redis is away: the cache and the channel layer of one process go on by themselves."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator

import pytest
from django.core.cache.backends.redis import RedisCache

from companion import outages
from companion.outages import REDIS
from companion.steady_cache import SteadyCache
from companion.steady_layer import SteadyLayer
from tests.servers import RedisServer


@pytest.fixture(scope="module")
def redis() -> Iterator[RedisServer]:
    """A Redis that these tests may stop."""
    server = RedisServer()
    yield server
    server.stop()


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No pause between two tries: the next question finds out whether the outage is over."""
    monkeypatch.setattr(outages, "PAUSE", 0.0)
    yield
    REDIS.over()


def test_a_cache_without_redis_counts_and_remembers_for_itself(
    redis: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    cache = SteadyCache(redis.url, {})
    cache.set("kept", 1)
    redis.stop()
    try:
        assert cache.get("kept") is None
        assert cache.add("tries", 0, 60)
        assert not cache.add("tries", 0, 60)
        assert [cache.incr("tries") for _ in range(3)] == [1, 2, 3]
        assert cache.decr("tries") == 2
        cache.set_many({"a": 1, "b": 2})
        assert cache.get_many(["a", "b", "c"]) == {"a": 1, "b": 2}
        cache.delete_many(["a"])
        assert ("a" in cache, "b" in cache) == (False, True)
        with pytest.raises(ValueError, match="nothing"):
            cache.incr("nothing")
        assert REDIS.lasts
    finally:
        redis.start()
    assert cache.get("b") is None, "the process's own memory ends with the outage"
    assert not REDIS.lasts
    cache.set("kept", 2)
    assert RedisCache(redis.url, {}).get("kept") == 2, "all processes share it again"
    told = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert len(told) == 2, told


def test_a_known_outage_keeps_nobody_waiting(redis: RedisServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outages, "PAUSE", 60.0)
    asked = []
    monkeypatch.setattr(RedisCache, "get", lambda *_: asked.append(1) or 1 / 0)
    REDIS.found(OSError())
    cache = SteadyCache(redis.url, {})
    began = time.monotonic()
    for _ in range(100):
        assert cache.get("kept") is None
    assert asked == []
    assert time.monotonic() - began < 1


async def test_a_layer_without_redis_tells_its_own_process(redis: RedisServer) -> None:
    layer = SteadyLayer(hosts=[{"address": redis.url}])
    other = SteadyLayer(hosts=[{"address": redis.url}])
    here, there = await layer.new_channel(), await other.new_channel()
    await layer.group_add("evening", here)
    await other.group_add("evening", there)
    redis.stop()
    try:
        await layer.group_send("evening", {"type": "told"})
        assert await layer.receive(here) == {"type": "told"}
        late = await layer.new_channel()
        await layer.group_add("late", late)
        await layer.group_send("late", {"type": "told"})
        assert await layer.receive(late) == {"type": "told"}
        await layer.group_discard("evening", here)
    finally:
        redis.start()
    # Groups that could not be joined are joined as soon as it is back.
    client = other._get_layer()._shards[0]
    while len(await client._redis.pubsub_channels("*late*")) == 0:
        pass
    await other.group_send("late", {"type": "heard"})
    assert await layer.receive(late) == {"type": "heard"}
    for each in (layer, other):
        await each.flush()
