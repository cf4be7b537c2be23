"""By which address others reach us."""

from __future__ import annotations

import pytest

from companion.pages.reach import origin

HOME, HOSTED = "http://192.168.1.5:8000", "https://takujo.example"


@pytest.mark.parametrize(
    ("public", "scheme", "host", "expected"),
    [
        ("", "http", "192.168.1.5:8000", "http://192.168.1.5:8000"),
        (HOME, "http", "localhost:8000", HOME),
        (HOME, "http", "127.0.0.1:8000", HOME),
        (HOME, "http", "[::1]:8000", HOME),
        (HOME, "http", "10.0.0.7:8000", "http://10.0.0.7:8000"),
        (HOME, "http", "evil.example", HOME),
        (HOME, "http", "93.184.216.34", HOME),
        (HOSTED, "https", "takujo.example", HOSTED),
        (HOSTED, "http", "takujo.example", HOSTED),
        (HOSTED, "https", "evil.example", HOSTED),
        (HOSTED, "https", "10.0.0.7", HOSTED),
        (HOSTED, "https", "[half", HOSTED),
    ],
)
def test_links_use_the_public_url_whatever_host_is_requested(
    settings, public: str, scheme: str, host: str, expected: str
) -> None:
    settings.PUBLIC_URL = public
    assert origin(scheme, host) == expected
