"""The page that imports a text or a CCFOLIA room as the draft of a scenario."""

from __future__ import annotations

import hashlib

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import RequestDataTooBig
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods

from characters.exchange.reading import ZIP_BYTES_AT_MOST
from characters.exchange.unreadable import UnreadableSheet
from companion.http import HttpRequest
from companion.identity.people import ensure_person
from companion.pacing.heavy import WITH_A_PICTURE, heavy
from sessions.forms.scenarios import PasteForm
from sessions.models import Scenario
from sessions.scenarios import bringing, told
from sessions.scenarios.document import Unfit

#: Bytes that a form needs besides a file.
ENVELOPE = 4_000


@heavy("POST", larger_than=WITH_A_PICTURE)
@csrf_exempt  # the token is in the body, so the check would read a body that is too large
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def paste_scenario(request: HttpRequest) -> HttpResponse:
    """Refuse an upload that is too large with a sentence; ``_paste`` does the rest."""
    if int(request.META.get("CONTENT_LENGTH") or 0) > ZIP_BYTES_AT_MOST + ENVELOPE:
        return _render_refusal(request, PasteForm(), "too_large")
    try:
        return _paste(request)
    except RequestDataTooBig:  # raised for the text, whose size Django limits itself
        return _render_refusal(request, PasteForm(), "text_too_long")


@csrf_protect
def _paste(request: HttpRequest) -> HttpResponse:
    """Ask for a scenario, show a preview of the draft, and save it when its author confirms.

    Only content that was previewed is saved: ``keep`` is its fingerprint; other content gets a preview first.
    """
    if request.method != "POST":
        return render(request, "sessions/scenario_paste.html", {"form": PasteForm()})
    form = PasteForm(request.POST, request.FILES)
    if not form.is_valid():
        return _render_refusal(request, form, "bad_characters")
    file = form.cleaned_data["file"]
    content = file.read() if file else form.cleaned_data["text"].encode()
    fingerprint = hashlib.sha256(content).hexdigest()
    try:
        draft = bringing.read(content)
    except (UnreadableSheet, Unfit) as problem:
        return _render_refusal(request, form, problem.code)
    if request.POST.get("keep") == fingerprint:
        scenario, unread = bringing.keep(ensure_person(request), draft, content)
        _report_reading(request, scenario, unread)
        return redirect("play:scenario", scenario.pk)
    context = {
        "form": form,
        "draft": draft,
        "players": _span(draft.document.players_from, draft.document.players_to),
        "left": [told.describe_difference(left) for left in draft.left],
        "fingerprint": fingerprint,
        "file": file.name if file else "",
    }
    return render(request, "sessions/scenario_paste.html", context)


def _span(least: int, most: int) -> str:
    return f"{least}–{most}" if most != least else str(least)


def _render_refusal(request: HttpRequest, form: PasteForm, code: str) -> HttpResponse:
    context = {"form": form, "why": told.refusal(code)}
    # htmx puts the refusal into the page, and swaps in 2xx responses only (static/js/answers.js).
    status = 200 if request.headers.get("HX-Request") else 422
    return render(request, "sessions/scenario_paste.html", context, status=status)


def _report_reading(request: HttpRequest, scenario: Scenario, unread: int) -> None:
    title = scenario.title or _("A scenario without a title")
    messages.success(request, _("“%(title)s” is kept as a draft.") % {"title": title})
    if unread:
        said = ngettext(
            "%(count)s picture could not be read.", "%(count)s pictures could not be read.", unread
        )
        messages.warning(request, said % {"count": unread})
