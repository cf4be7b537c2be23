"""The chat by HTTP, and the lines and veils of a session.

Chat: send messages, read older ones, change one's own, and set the GM's options. Lines and veils: everybody
at the table reads and proposes them on their own page; the GM decides.
"""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from companion.identity.people import HttpRequest
from companion.requests.throttle import record_try
from sessions import access
from sessions.chat import messages as chat
from sessions.evening import safety
from sessions.evening.refusals import Refused, refusal_sentence
from sessions.forms.session import LimitForm
from sessions.models import Limit, Message, Seat, Tab
from sessions.scenarios import staging
from sessions.views.responses import action, back, no_store

#: Messages on a page of the whole chat.
A_PAGE = 100
#: Messages that one seat may send in a minute.
A_MINUTE = 40


@require_http_methods(["GET", "HEAD", "POST"])
def chat_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a page of a tab, or send a message to it: 204 for a script, a redirect to the tab for a form."""
    seat = access.own_seat(request.person, pk)
    tab = _tab_by_name(seat, request.POST.get("tab") or request.GET.get("tab", ""))
    if request.method != "POST":
        return _render_chat(request, seat, tab)
    if not record_try("", f"chat.{seat.pk}", limit=A_MINUTE, seconds=60):
        return _render_refusal(request, seat, tab, _("That was a lot at once. Please wait a moment."), 429)
    try:
        chat.send(seat=seat, draft=_read_draft(request, tab))
    except Refused as refused:
        return _render_refusal(request, seat, tab, refusal_sentence(refused), 422)
    return redirect(_tab_url(seat, tab)) if request.accepts("text/html") else HttpResponse(status=204)


@require_http_methods(["GET", "HEAD", "POST"])
def change_message(request: HttpRequest, pk: int, key: uuid.UUID) -> HttpResponse:
    """Change the text of one's own message, or delete it."""
    seat = access.own_seat(request.person, pk)
    found = get_object_or_404(Message, pk=key, session=pk, author=seat)
    refusal = ""
    if request.method == "POST":
        try:
            if request.POST.get("delete"):
                chat.delete(message=found)
            else:
                chat.rewrite(message=found, text=request.POST.get("text", ""))
        except Refused as refused:
            refusal = refusal_sentence(refused)
        if not request.accepts("text/html"):
            return JsonResponse({"reason": refusal}, status=422) if refusal else HttpResponse(status=204)
        if not refusal:
            return redirect(_tab_url(seat, Tab(found.tab)))
    text = request.POST.get("text", found.text)
    context = {"message": found, "session": seat.session, "text": text, "refusal": refusal}
    return render(request, "sessions/chat_message.html", context, status=422 if refusal else 200)


@action(access.gm_seat, to=lambda request, gm: redirect("play:chat", gm.session_id))
def set_options(request: HttpRequest, gm: Seat) -> None:
    """Change the rules of the chat, as its GM."""
    names = ("gm_reads_whispers", "players_write_hp", "spectators_chat")
    chat.set_options(session=gm.session, **{name: name in request.POST for name in names})


def _read_draft(request: HttpRequest, tab: Tab) -> chat.MessageDraft:
    """Return the message that a form or a script has sent. A message without an id gets one."""
    sent = request.POST
    try:
        client_id = uuid.UUID(sent.get("client_id") or uuid.uuid4().hex)
    except ValueError:
        raise Refused("malformed") from None
    return chat.MessageDraft(
        client_id=client_id,
        tab=tab,
        text=sent.get("text", ""),
        speaker=sent.get("speaker", ""),
        face=sent.get("face", ""),
        to=sent.getlist("to"),
        gm_reads=sent.get("gm_reads") == "1",
    )


def _tab_by_name(seat: Seat, name: str) -> Tab:
    for tab in chat.tabs_read_by(seat):
        if tab.value == (name or Tab.MAIN):
            return tab
    raise Http404


def _render_refusal(request: HttpRequest, seat: Seat, tab: Tab, reason: str, status: int) -> HttpResponse:
    if not request.accepts("text/html"):
        return JsonResponse({"reason": reason}, status=status)
    return _render_chat(request, seat, tab, status=status, refusal=reason, text=request.POST.get("text", ""))


def _render_chat(
    request: HttpRequest, seat: Seat, tab: Tab, *, status: int = 200, **more: Any
) -> HttpResponse:
    of_tab = chat.readable(seat.session, seat).filter(tab=tab)
    if before := _message_before(of_tab, request.GET.get("before", "")):
        of_tab = of_tab.filter(sent_at__lt=before.sent_at)
    context = {
        "session": seat.session,
        "my_seat": seat,
        "tab": tab,
        "tabs": chat.tabs_read_by(seat),
        "runs": access.runs_session(seat),
        "before": before,
        **chat.latest(seat.session, of_tab.prefetch_related("to"), A_PAGE),
        **chat.desk(seat.session, seat),
        **more,
    }
    return no_store(render(request, "sessions/chat.html", context, status=status))


def _message_before(messages: Any, key: str) -> Message | None:
    try:
        return messages.filter(pk=uuid.UUID(key)).first() if key else None
    except ValueError:
        raise Http404 from None


def _tab_url(seat: Seat, tab: Tab) -> str:
    return f"{reverse('play:chat', args=[seat.session_id])}?tab={tab}"


@require_http_methods(["GET", "HEAD", "POST"])
def limits_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the session's limits with a form. The GM adds a limit, all others propose one.

    Live pages have the same form in a sheet, so that players stay at the table; that form asks for JSON.
    """
    seat = access.own_seat(request.person, pk)
    if seat.session.is_free:  # it has no campaign to limit
        raise Http404
    form = LimitForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        return _answer_limit(request, seat, form.save(commit=False))
    if request.method == "POST" and not request.accepts("text/html"):
        errors = {form.add_prefix(field): why for field, why in form.errors.items()}
        return JsonResponse({"errors": errors}, status=422)
    context: dict[str, Any] = {"session": seat.session, "own_seat": seat, "form": form}
    context |= safety.limits_context(seat.session, leads=access.runs_session(seat))
    context["warns"] = staging.content_warnings(seat.session)
    return render(request, "sessions/limits.html", context, status=422 if request.method == "POST" else 200)


def _answer_limit(request: HttpRequest, seat: Seat, limit: Limit) -> HttpResponse:
    in_place = not request.accepts("text/html")
    try:
        said = _save_limit(seat, limit)
    except Refused as refused:
        why = refusal_sentence(refused)
        if in_place:
            return JsonResponse({"reason": why}, status=422)
        messages.error(request, why)
    else:
        if in_place:
            return JsonResponse({"said": said})
        messages.success(request, said)
    return redirect("play:limits", seat.session_id)


def _save_limit(seat: Seat, limit: Limit) -> str:
    """Save or propose a limit, as the seat may; return the sentence that confirms it."""
    if access.runs_session(seat):
        safety.write_limit(session=seat.session, limit=limit)
        return _("It holds from now on.")
    safety.propose_limit(seat=seat, limit=limit)
    return _("On its way to the GM, without your name.")


def _to_limits_or_back(request: HttpRequest, gm: Seat) -> HttpResponse:
    return redirect("play:limits", gm.session_id) if "page" in request.POST else back(request, gm)


@action(access.gm_seat, to=_to_limits_or_back)
def decide_limit(request: HttpRequest, gm: Seat, limit_pk: uuid.UUID) -> None:
    """Accept a limit as a line or a veil, or take it off the list, as the GM."""
    limit = get_object_or_404(safety.visible_limits(gm.session.campaign_id), pk=limit_pk)
    kind = request.POST.get("limit-kind", "")
    if kind in Limit.LimitKind.values:
        safety.agree_on_limit(limit=limit, kind=kind)
    elif kind == "off":
        safety.remove_limit(limit=limit)
