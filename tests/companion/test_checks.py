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


def test_settings_of_a_home_server_raise_no_check() -> None:
    assert ids() == []


def test_complete_hosted_settings_raise_no_check(hosted) -> None:
    assert ids() == []


def test_a_redis_without_its_channel_layer_is_an_error(settings) -> None:
    settings.REDIS_URL = "redis://redis"
    assert ids() == ["companion.E001"]


@pytest.mark.parametrize("options", [{}, {"transaction_mode": "DEFERRED"}])
def test_sqlite_without_immediate_transactions_is_an_error(
    settings, monkeypatch: pytest.MonkeyPatch, options: dict[str, str]
) -> None:
    monkeypatch.setitem(settings.DATABASES["default"], "OPTIONS", options)
    assert ids() == ["companion.E002"]


def test_a_hosted_server_with_the_key_of_a_home_is_warned(hosted) -> None:
    hosted.SECRET_KEY_IS_HOME = True
    assert ids() == ["companion.W003"]


def test_a_hosted_server_that_allows_any_host_is_warned(hosted) -> None:
    hosted.ALLOWED_HOSTS = ["*"]
    assert ids() == ["companion.W003"]


def test_a_hosted_server_without_trusted_proxies_is_warned(hosted) -> None:
    hosted.TRUSTED_PROXIES = 0
    assert ids() == ["companion.W004"]


def test_emails_without_a_public_url_are_an_error(hosted) -> None:
    hosted.EMAIL_URL = "smtp://mail.example.org"
    assert ids() == ["companion.E005"]
    hosted.PUBLIC_URL = "https://takujo.example"
    assert ids() == []


def test_djangos_check_command_runs_our_checks_of_settings() -> None:
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


def test_djangos_deployment_check_passes_on_a_hosted_server(tmp_path: Path) -> None:
    checked = deployed(tmp_path, **HOSTED)
    assert checked.returncode == 0, checked.stderr


def test_djangos_deployment_check_warns_of_plain_http(tmp_path: Path) -> None:
    checked = deployed(tmp_path, **{**HOSTED, "HTTPS": "0"})
    assert "security.W012" in checked.stderr
