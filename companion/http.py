"""Typed requests."""

from __future__ import annotations

from django.http import HttpRequest as DjangoRequest

from companion.models import Person


class HttpRequest(DjangoRequest):
    """A request after ``PersonMiddleware``."""

    person: Person | None
    new_person: Person
