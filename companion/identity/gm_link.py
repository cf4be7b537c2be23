"""The one-time link that signs the GM in at home. It is shown only in the server's terminal."""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from companion import shared_time
from companion.models import GmLink, Person, User, hash_token

VALID_FOR = timedelta(hours=24)
#: The account of the GM at home.
USERNAME = "gm"


def issue() -> str:
    """Return the token of a new link. Earlier unused links become invalid."""
    token = secrets.token_urlsafe(24)
    with transaction.atomic():
        GmLink.objects.filter(used_at=None).delete()
        GmLink.objects.filter(created_at__lt=shared_time.now() - VALID_FOR).delete()
        GmLink.objects.create(token_hash=hash_token(token))
    return token


def is_valid(token: str) -> bool:
    return _open_links(token).exists()


def is_used_up(token: str) -> bool:
    """True if a link was used. ``issue`` deletes records that are older than ``VALID_FOR``."""
    return GmLink.objects.filter(token_hash=hash_token(token)).exclude(used_at=None).exists()


def redeem(token: str) -> User | None:
    with transaction.atomic():
        # One UPDATE statement, so that only one of two concurrent requests succeeds.
        if not _open_links(token).update(used_at=shared_time.now()):
            return None
        return ensure_home_gm()


def ensure_home_gm() -> User:
    """Return the GM's account, created on first use. It has no password, only links."""
    user, new = User.objects.get_or_create(
        username=USERNAME, defaults={"is_staff": True, "is_superuser": True}
    )
    if new:
        user.set_unusable_password()
        user.save(update_fields=["password"])
    Person.objects.get_or_create(user=user, defaults={"name": _("GM")})
    return user


def _open_links(token: str) -> QuerySet[GmLink]:
    return GmLink.objects.filter(
        token_hash=hash_token(token), used_at=None, created_at__gt=shared_time.now() - VALID_FOR
    )
