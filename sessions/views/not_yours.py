"""The error page of a session or a table where the person of a device has no seat, with a reason if known."""

from __future__ import annotations

from collections.abc import Callable

from django.http import Http404, HttpResponse
from django.shortcuts import render

from companion.http import HttpRequest
from companion.identity.people import guest_of
from sessions.models import Seat

#: The pages of a session, each with the lookup by which its key finds seats.
OF_AN_EVENING = {"play:session": "session", "play:table": "session__tables"}


class NotYoursMiddleware:
    """Shows whose seat it is: that of this device's guest, or one that was moved to another device.

    A person who had no seat in a session learns nothing about it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        page = request.resolver_match
        if not isinstance(exception, Http404) or page is None or page.view_name not in OF_AN_EVENING:
            return None
        here = request.get_full_path()
        seats = Seat.objects.filter(session__ended_at=None, removed_at=None)
        seats = seats.filter(**{OF_AN_EVENING[page.view_name]: page.kwargs["pk"]}).select_related("session")
        if request.user.is_authenticated:
            seat = seats.filter(person=guest_of(request)).exclude(person=None).first()
            context = {"seat": seat, "next": here}
            return render(request, "sessions/guests_seat.html", context, status=409) if seat else None
        own, moved = (seats.filter(**{whose: request.person}) for whose in ("person", "moved_from"))
        if request.person and not own.exists() and (seat := moved.first()):
            return render(request, "sessions/moved_seat.html", {"seat": seat}, status=410)
        return render(request, "404.html", {"signs_in": here}, status=404)
