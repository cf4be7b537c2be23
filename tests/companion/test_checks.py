"""Wrong settings are reported at start-up."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from companion.server.checks import check_settings


def ids() -> list[str | None]:
    return [message.id for message in check_settings()]


@pytest.fixture
def hosted(settings):
    settings.DATABASE_URL = "postgres://takujo@db/takujo"
    settings.HTTPS = True
    settings.TRUSTED_PROXIES = 1
    settings.SECRET_KEY_IS_HOME = False
    settings.ALLOWED_HOSTS = ["takujo.example"]
    return settings


def test_a_home_is_fine() -> None:
    assert ids() == []


def test_a_well_hosted_table_is_fine(hosted) -> None:
    assert ids() == []


def test_redis_without_its_layer(settings) -> None:
    settings.REDIS_URL = "redis://redis"
    assert ids() == ["companion.E001"]


@pytest.mark.parametrize("options", [{}, {"transaction_mode": "DEFERRED"}])
def test_sqlite_that_would_lose_moves(
    settings, monkeypatch: pytest.MonkeyPatch, options: dict[str, str]
) -> None:
    monkeypatch.setitem(settings.DATABASES["default"], "OPTIONS", options)
    assert ids() == ["companion.E002"]


def test_hosted_with_the_key_of_a_home(hosted) -> None:
    hosted.SECRET_KEY_IS_HOME = True
    assert ids() == ["companion.W003"]


def test_hosted_under_any_name(hosted) -> None:
    hosted.ALLOWED_HOSTS = ["*"]
    assert ids() == ["companion.W003"]


def test_hosted_with_a_proxy_nobody_told_about(hosted) -> None:
    hosted.TRUSTED_PROXIES = 0
    assert ids() == ["companion.W004"]


def test_letters_that_would_lead_anywhere(hosted) -> None:
    hosted.EMAIL_URL = "smtp://mail.example.org"
    assert ids() == ["companion.E005"]
    hosted.PUBLIC_URL = "https://takujo.example"
    assert ids() == []


def test_djangos_check_runs_the_checks_of_the_server() -> None:
    from django.core.checks.registry import registry

    assert check_settings in registry.get_checks()


HOSTED = {
    "SECRET_KEY": "a hosted table has a key of its own, long enough and varied: 0123456789 abcdef",
    "ALLOWED_HOSTS": "takujo.example",
    "PUBLIC_URL": "https://takujo.example",
    "HTTPS": "1",
    "TRUSTED_PROXIES": "1",
    "DATABASE_URL": "postgres://takujo@localhost/takujo",
    "REDIS_URL": "redis://localhost:6379/0",
}


def deployed(tmp_path: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """Check for hosting what this environment sets up."""
    command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    own = {"PATH": os.environ["PATH"], "TAKUJO_VAR": str(tmp_path), **env}
    return subprocess.run(command, env=own, capture_output=True, text=True, cwd=settings.BASE_DIR)


def test_django_has_nothing_against_a_hosted_server(tmp_path: Path) -> None:
    checked = deployed(tmp_path, **HOSTED)
    assert checked.returncode == 0, checked.stderr


def test_django_has_something_against_plain_http(tmp_path: Path) -> None:
    checked = deployed(tmp_path, **{**HOSTED, "HTTPS": "0"})
    assert "security.W012" in checked.stderr
