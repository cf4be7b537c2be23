"""Idempotent forms: the second POST of a form, such as a double tap, gets the response of the first.

A browser shows only the response to the last tap. So the second tap must not get an error that the name is
taken or the link used, or start another game. This applies to all forms of new devices, and to views that are
``answered_once``. A form is identified by its CSRF token, which differs on each page, by its content, and by
the key of the device, so that a copy of the form on another device gets no stored response.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from http.cookies import SimpleCookie
from typing import Any, NamedTuple, TypeVar

from django.core.cache import cache
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect

from companion import shared_time
from companion.identity import people
from companion.identity.people import HttpRequest
from companion.pages.defaults import Middleware

ViewT = TypeVar("ViewT", bound=Callable[..., HttpResponse])
#: Seconds for which a response is stored, and for which the second POST waits for it.
KEPT, PATIENCE = 120, 20.0
AT_WORK = "at work"


class _Answer(NamedTuple):
    url: str
    cookies: SimpleCookie
    session: str | None  #: its key, if the request changed it


def answered_once(view: ViewT) -> ViewT:
    """Make a view idempotent on known devices, too."""
    view.answered_once = True  # type: ignore[attr-defined]
    return view


def first_answer(request: HttpRequest, *, begins: bool = True) -> HttpResponse | None:
    """Return the response to the first POST of this form, None if there was none.

    :param begins: True if this POST may be the first; it is then recorded.
    """
    key = _key(request)
    if key and begins and cache.add(key, AT_WORK, KEPT):
        request.first_post = key
        return None
    return _wait_for_answer(key, request) if key else None


class FirstPostMiddleware(Middleware):
    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if key := getattr(request, "first_post", ""):
            _store_answer(key, request, response)
        return response

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], *arguments: Any
    ) -> HttpResponse | None:
        # This runs after the CSRF check, so forms of other sites are rejected before. Views that check CSRF
        # themselves are skipped, since they may have to refuse a body before it is read.
        if request.method != "POST" or getattr(view, "csrf_exempt", False):
            return None
        person = request.person
        if person is None or getattr(view, "answered_once", False):
            return first_answer(request)
        is_new = person.created_at > shared_time.now() - people.NEW_FOR
        return first_answer(request, begins=False) if is_new else None


def _key(request: HttpRequest) -> str:
    """Return a cache key; "" if the form or the device cannot be identified."""
    form = request.POST.get("csrfmiddlewaretoken") or request.headers.get("X-CSRFToken", "")
    device = people.device_key(request.COOKIES)
    if not (form and device):
        return ""
    sent = repr([device, form, request.get_full_path(), sorted(request.POST.lists())])
    return f"first-post.{hashlib.sha256(sent.encode()).hexdigest()}"


def _store_answer(key: str, request: HttpRequest, response: HttpResponse) -> None:
    """Store a redirect that created something. Any other response is computed again."""
    view = request.resolver_match.func if request.resolver_match else None
    session = request.session
    created = session.modified or hasattr(request, "new_person") or getattr(view, "answered_once", False)
    if not (created and isinstance(response, HttpResponseRedirect)):
        cache.delete(key)
        return
    if session.modified:
        session.save()
    session_key = session.session_key if session.modified else None
    cache.set(key, _Answer(response.url, response.cookies, session_key), KEPT)


def _wait_for_answer(key: str, request: HttpRequest) -> HttpResponse | None:
    """Return a copy of the first response; None if none is stored."""
    until = time.monotonic() + PATIENCE
    while (first := cache.get(key)) == AT_WORK and time.monotonic() < until:
        time.sleep(0.05)
    if not isinstance(first, _Answer):
        return None
    if first.session:
        request.session = type(request.session)(first.session)
        request.session.modified = True
    copy = redirect(first.url)
    copy.cookies = first.cookies
    return copy
