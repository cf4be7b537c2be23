"""Letters that go out or stay, and the forms of a mail server's address."""

from __future__ import annotations

import pytest

from companion.server.environment import smtp_options


@pytest.mark.parametrize(
    ("url", "host", "port", "tls", "ssl"),
    [
        ("smtp://mail.example.org", "mail.example.org", 587, True, False),
        ("smtp://mail.example.org:2525", "mail.example.org", 2525, True, False),
        ("smtps://mail.example.org", "mail.example.org", 465, False, True),
        ("smtp+plain://localhost", "localhost", 25, False, False),
    ],
)
def test_a_mail_url_gives_host_port_and_encryption(
    url: str, host: str, port: int, tls: bool, ssl: bool
) -> None:
    options = smtp_options(url)
    assert (options["host"], options["port"], options["use_tls"], options["use_ssl"]) == (
        host,
        port,
        tls,
        ssl,
    )


def test_user_and_password_of_a_mail_url_are_unquoted() -> None:
    options = smtp_options("smtp://haru%40example.org:p%3A%2Fss@mail.example.org")
    assert (options["username"], options["password"]) == ("haru@example.org", "p:/ss")


@pytest.mark.parametrize(
    "url", ["mail.example.org", "http://mail.example.org", "smtp://", "smtp://host:port"]
)
def test_an_invalid_mail_url_is_refused(url: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        smtp_options(url)
