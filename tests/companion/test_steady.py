"""Redis is away: cache and channel layer of one process go on. No request waits for a known outage."""

from __future__ import annotations

import time
from collections.abc import Iterator

import dj_database_url
import pytest
from django.core.cache.backends.redis import RedisCache
from django.db import ConnectionHandler, OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper

from companion.fallback import outages
from companion.fallback.outages import DATABASE, REDIS
from companion.fallback.redis import SteadyCache, SteadyLayer
from tests.servers import PATIENCE, RedisServer


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
    REDIS.record_recovery()
    DATABASE.record_recovery()


def lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return what a host would read of outages."""
    return [record.getMessage() for record in caplog.records if record.name == outages.__name__]


def test_the_cache_works_in_the_process_while_redis_is_away(
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
    assert len(lines(caplog)) == 2


def test_the_cache_does_not_ask_redis_during_a_known_outage(
    redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outages, "PAUSE", 60.0)
    asked = []
    monkeypatch.setattr(RedisCache, "get", lambda *_: asked.append(1) or 1 / 0)
    REDIS.record_failure(OSError())
    cache = SteadyCache(redis.url, {})
    began = time.monotonic()
    for _ in range(100):
        assert cache.get("kept") is None
    assert asked == []
    assert time.monotonic() - began < 1


async def test_the_channel_layer_reaches_its_own_process_without_redis(redis: RedisServer) -> None:
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


@pytest.fixture
def connections(db: None, postgres_url: str) -> Iterator[list[BaseDatabaseWrapper]]:
    """Three connections, as of three threads, to a pool of two."""
    options = {"pool": {"min_size": 1, "max_size": 2, "timeout": 0.5, "reconnect_timeout": 0.5}}
    here = {**dj_database_url.parse(postgres_url, conn_health_checks=True), "OPTIONS": options}
    here["ENGINE"] = "companion.fallback.postgresql"
    made = [ConnectionHandler({"default": {}, "pg": dict(here)})["pg"] for _ in "123"]
    for connection in made:
        connection.inc_thread_sharing()
    yield made
    for connection in made:
        connection.close()
    made[0].close_pool()  # type: ignore[attr-defined]


def test_a_busy_connection_pool_is_no_outage(
    connections: list[BaseDatabaseWrapper], caplog: pytest.LogCaptureFixture
) -> None:
    one, two, three = connections
    pool = one.pool  # type: ignore[attr-defined]
    short, pool.timeout = pool.timeout, PATIENCE  # A connection that is free may take its time to open.
    one.ensure_connection()
    two.ensure_connection()
    pool.timeout = short
    with pytest.raises(OperationalError):
        three.ensure_connection()
    pool.timeout = PATIENCE
    assert not DATABASE.lasts
    one.close()
    three.ensure_connection()
    assert lines(caplog) == []


def test_connections_from_before_a_database_restart_are_dropped(
    connections: list[BaseDatabaseWrapper],
) -> None:
    one, two, three = connections
    for each in (one, two):
        each.ensure_connection()
    with two.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        [own] = cursor.fetchone()
        cursor.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> %s", [own])
    for each in (one, two):
        each.close()
    for each in (three, one):
        with each.cursor() as cursor:
            cursor.execute("SELECT 1")
    assert not DATABASE.lasts


def test_requests_during_a_known_database_outage_fail_at_once(
    connections: list[BaseDatabaseWrapper], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    one, two, _ = connections
    monkeypatch.setattr(outages, "PAUSE", 60.0)
    port = one.settings_dict["PORT"]
    one.settings_dict["PORT"] = two.settings_dict["PORT"] = 1
    for _ in range(20):
        for each in (one, two):
            with pytest.raises(OperationalError):
                each.ensure_connection()
    assert len(lines(caplog)) == 1
    monkeypatch.setattr(outages, "PAUSE", 0.0)
    DATABASE.record_failure(OSError())
    one.close_pool()  # type: ignore[attr-defined]
    one.settings_dict["PORT"] = port
    DATABASE._ask_at = 0.0
    one.ensure_connection()
    assert not DATABASE.lasts
    assert len(lines(caplog)) == 2
