"""Typed requests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpRequest as DjangoRequest

from companion.models import Person

if TYPE_CHECKING:
    from companion.identity.company import SharedDevice


class HttpRequest(DjangoRequest):
    """A request after ``PersonMiddleware`` and ``CompanyMiddleware``."""

    person: Person | None
    new_person: Person
    company: SharedDevice
    #: The cache key of the response to this POST (first_posts.py).
    first_post: str
