"""System checks of the settings: a wrong one is reported at the start instead of failing in a session."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core import checks
from django.utils.translation import gettext_noop


@checks.register
def check_settings(**kwargs: Any) -> list[checks.CheckMessage]:
    return [*_channel_layer(), *_sqlite(), *_mail(), *_hosting()]


def _channel_layer() -> Iterator[checks.CheckMessage]:
    layer = settings.CHANNEL_LAYERS.get("default", {}).get("BACKEND", "")
    if settings.REDIS_URL and "InMemory" in layer:
        yield checks.Error(
            gettext_noop(
                "REDIS_URL is set, but the channel layer is in memory: phones on different processes "
                "hear nothing of each other."
            ),
            hint=gettext_noop("Use channels_redis.pubsub.RedisPubSubChannelLayer in CHANNEL_LAYERS."),
            id="companion.E001",
        )


def _sqlite() -> Iterator[checks.CheckMessage]:
    database = settings.DATABASES["default"]
    mode = database.get("OPTIONS", {}).get("transaction_mode", "")
    if database["ENGINE"].endswith("sqlite3") and mode.upper() != "IMMEDIATE":
        yield checks.Error(
            gettext_noop(
                "SQLite without transaction_mode IMMEDIATE loses moves that arrive at the same time."
            ),
            hint=gettext_noop('Set DATABASES["default"]["OPTIONS"]["transaction_mode"] = "IMMEDIATE".'),
            id="companion.E002",
        )


def _mail() -> Iterator[checks.CheckMessage]:
    if settings.EMAIL_URL and not settings.PUBLIC_URL:
        yield checks.Error(
            gettext_noop(
                "EMAIL_URL is set without PUBLIC_URL: letters would lead to whatever host a request names, "
                "so none go out."
            ),
            hint=gettext_noop(
                "Set PUBLIC_URL to the address of this server, such as https://takujo.example."
            ),
            id="companion.E005",
        )


def _hosting() -> Iterator[checks.CheckMessage]:
    if settings.DATABASE_URL.startswith("sqlite") and not settings.HTTPS:
        return  # a home
    if settings.SECRET_KEY_IS_HOME or "*" in settings.ALLOWED_HOSTS:
        yield checks.Warning(
            gettext_noop("This server is hosted, but has a home's SECRET_KEY or answers to any host name."),
            hint=gettext_noop("Set SECRET_KEY and ALLOWED_HOSTS in the environment."),
            id="companion.W003",
        )
    if settings.HTTPS and not settings.TRUSTED_PROXIES:
        yield checks.Warning(
            gettext_noop(
                "HTTPS=1 means a proxy in front, but TRUSTED_PROXIES is 0: everybody seems to come from "
                "one address, and one guesser slows down all."
            ),
            hint=gettext_noop("Set TRUSTED_PROXIES to the number of proxies, usually 1."),
            id="companion.W004",
        )
