"""Limits of tries by one address."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.cache import cache
from django.test import RequestFactory

from companion.requests import throttle
from companion.requests.throttle import PasswordAttempt


@pytest.fixture(autouse=True)
def now(monkeypatch: pytest.MonkeyPatch):
    """A clock that stands still until told to go on."""

    class Clock:
        seconds = 1_000_000.0

    monkeypatch.setattr(throttle, "now", lambda: Clock.seconds)
    return Clock


def tries(who: str, count: int, scope: str = "join") -> list[bool]:
    return [throttle.record_try(who, scope, limit=3, seconds=60) for _ in range(count)]


def tries_from(address: str, count: int) -> list[bool]:
    return tries(throttle.client_address(RequestFactory().get("/", REMOTE_ADDR=address)), count)


def test_a_rate_limit_ends_with_its_window(now) -> None:
    assert tries("192.168.1.5", 5) == [True, True, True, False, False]
    now.seconds += 60
    assert tries("192.168.1.5", 4) == [True, True, True, False]


def test_rate_limits_count_each_address_and_scope_separately() -> None:
    tries("192.168.1.5", 4)
    assert tries("192.168.1.6", 1) == [True]
    assert tries("192.168.1.5", 1, scope="sign-in") == [True]


def test_one_ipv6_customer_is_one_address() -> None:
    tries_from("2001:db8:1:2::a", 4)
    assert tries_from("2001:db8:1:2:ffff::b", 1) == [False]
    assert tries_from("2001:db8:1:3::a", 1) == [True]
    tries_from("::ffff:192.168.1.5", 4)
    assert tries_from("192.168.1.5", 1) == [False]


@pytest.mark.parametrize("address", ["", "not an address", "1.2.3.4:80", "é" * 500])
def test_malformed_addresses_share_one_rate_limit(address: str) -> None:
    assert tries_from(address, 3) == [True, True, True]
    assert tries_from("odd in another way", 1) == [False], "who writes it anew each time is still counted"


@pytest.mark.parametrize(("one", "other"), [("5", "6"), ("person 5", "person 6"), ("é" * 500, "é" * 501)])
def test_rate_limits_count_each_person_separately(one: str, other: str) -> None:
    assert tries(one, 4) == [True, True, True, False]
    assert tries(other, 1) == [True]


def test_a_refused_try_says_after_how_many_seconds_to_retry(now) -> None:
    some = throttle.Windows("some", ((2, 60), (3, 3_600)))
    now.seconds = 3_600.0 * 500 + 10
    assert [some.count("bo"), some.wait("bo")] == [True, 0]
    some.demand("bo")
    with pytest.raises(throttle.TooManyRequests) as refused:
        some.demand("bo")
    assert refused.value.seconds == 50
    now.seconds += 50
    some.demand("bo")
    with pytest.raises(throttle.TooManyRequests) as refused:
        some.demand("bo")
    assert refused.value.seconds == 3_540, "the longer of the two"


def test_a_rate_limit_counts_all_simultaneous_tries() -> None:
    with ThreadPoolExecutor(8) as pool:
        answers = list(
            pool.map(lambda _: throttle.record_try("10.0.0.1", "race", limit=50, seconds=60), range(200))
        )
    assert sum(answers) == 50


@pytest.mark.parametrize(
    ("proxies", "forwarded", "expected"),
    [
        (0, None, "10.0.0.9"),
        (0, "1.1.1.1", "10.0.0.9"),
        (1, None, "10.0.0.9"),
        (1, "1.1.1.1", "1.1.1.1"),
        (1, "6.6.6.6, 1.1.1.1", "1.1.1.1"),
        (2, "6.6.6.6, 1.1.1.1, 10.0.0.8", "1.1.1.1"),
        (2, "1.1.1.1", "1.1.1.1"),
    ],
)
def test_a_client_address_is_taken_from_trusted_proxies_only(
    settings, proxies: int, forwarded: str | None, expected: str
) -> None:
    settings.TRUSTED_PROXIES = proxies
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    request = RequestFactory().get("/", headers=headers, REMOTE_ADDR="10.0.0.9")
    assert throttle.client_address(request) == expected


def test_rate_limits_of_an_address_grow_with_people_per_address(settings) -> None:
    some = throttle.Windows("some", ((4, 60),), of_an_address=True)
    own = throttle.Windows("own", ((4, 60),))
    settings.PEOPLE_PER_ADDRESS = 10
    assert [some.count("a club") for _ in range(5)] == [True] * 4 + [False], "never less than for a house"
    settings.PEOPLE_PER_ADDRESS = 120
    assert [some.count("a fair") for _ in range(13)] == [True] * 12 + [False]
    assert [own.count("a person") for _ in range(5)] == [True] * 4 + [False]


def test_a_refused_address_adds_no_counters_for_made_up_accounts() -> None:
    def knock(door: int) -> None:
        PasswordAttempt("sign-in", f"made up {door}", "10.0.0.9").record_attempt()

    for door in range(20):
        knock(door)
    held = len(throttle.cache._cache)
    for door in range(20, 40):
        with pytest.raises(throttle.TooManyRequests):
            knock(door)
    assert len(throttle.cache._cache) == held


def test_other_cache_entries_do_not_evict_rate_limit_counters() -> None:
    few = throttle.Windows("few", ((1, 60),))
    assert few.count("a guesser")
    for number in range(12_000):
        cache.set(f"answer.{number}", True)
    assert not few.count("a guesser")
