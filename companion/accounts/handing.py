"""Pages of a shared device: the hand-over screen (curtain), and leaving the device."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from companion.http import HttpRequest
from companion.identity.company import open_curtain, show_curtain
from companion.identity.people import shown_name
from companion.pages import home_screen


@require_http_methods(["GET", "HEAD", "POST"])
def curtain(request: HttpRequest) -> HttpResponse:
    """Hand-over screen: it shows only the name of the next guest.

    A POST of ``to`` selects the next guest. With ``open``, the selected guest confirms and gets the device.
    """
    company = request.company
    if not company.people:
        raise Http404
    if request.method == "POST":
        return _hand_over(request)
    if company.called is None:
        return redirect(company.back)
    context = {"name": shown_name(company.called), "mark": home_screen.mark(company.called)}
    return render(request, "device/curtain.html", context)


def _hand_over(request: HttpRequest) -> HttpResponse:
    company, wanted = request.company, request.company.find(request.POST.get("to", ""))
    if wanted and wanted == company.called and "open" in request.POST:
        return open_curtain(company)
    # A stale page may post a guest who is not selected any more: show the present hand-over screen.
    if wanted is None or "open" in request.POST:
        return redirect("companion:curtain")
    return show_curtain(company.people, wanted, request.POST.get("back", company.back))


@require_http_methods(["GET", "HEAD", "POST"])
def leave_device(request: HttpRequest) -> HttpResponse:
    """Remove the present guest from this device. A recovery code is required, or they could never return."""
    company, person = request.company, request.person
    left = [one for one in company.people if one != person]
    if person is None or not left:
        raise Http404
    if request.method == "POST" and person.has_recovery_code:
        return show_curtain(left, left[0], company.back)
    return render(request, "device/stand.html", {"name": shown_name(person)})
