"""The chat by HTTP: send messages, read older ones, change one's own, and set the GM's options."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from companion.http import HttpRequest
from companion.limits.throttle import record_try
from sessions import access
from sessions.chat import messages as chat
from sessions.evening.refusals import Refused, refusal_sentence
from sessions.models import Message, Seat, Tab

#: Messages on a page of the whole chat.
A_PAGE = 100
#: Messages that one seat may send in a minute.
A_MINUTE = 40


@require_http_methods(["GET", "HEAD", "POST"])
def chat_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a page of a tab, or send a message to it: 204 for a script, a redirect to the tab for a form."""
    seat = access.seat_kept(request.person, pk)
    tab = _tab(seat, request.POST.get("tab") or request.GET.get("tab", ""))
    if request.method != "POST":
        return _render_chat(request, seat, tab)
    if not record_try("", f"chat.{seat.pk}", limit=A_MINUTE, seconds=60):
        return _not_taken(request, seat, tab, _("That was a lot at once. Please wait a moment."), 429)
    try:
        chat.send(seat=seat, draft=_draft(request, tab))
    except Refused as refused:
        return _not_taken(request, seat, tab, refusal_sentence(refused), 422)
    return redirect(_address(seat, tab)) if request.accepts("text/html") else HttpResponse(status=204)


@require_http_methods(["GET", "HEAD", "POST"])
def change_message(request: HttpRequest, pk: int, key: uuid.UUID) -> HttpResponse:
    """Change the text of one's own message, or delete it."""
    seat = access.seat_kept(request.person, pk)
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
            return redirect(_address(seat, Tab(found.tab)))
    text = request.POST.get("text", found.text)
    context = {"message": found, "session": seat.session, "text": text, "refusal": refusal}
    return render(request, "sessions/chat_message.html", context, status=422 if refusal else 200)


@require_POST
def set_options(request: HttpRequest, pk: int) -> HttpResponse:
    """Change the rules of the chat, as its GM."""
    session = access.seat_gm(request.person, pk).session
    names = ("gm_reads_whispers", "players_write_hp", "spectators_chat")
    chat.set_options(session=session, **{name: name in request.POST for name in names})
    return redirect("play:chat", pk)


def _draft(request: HttpRequest, tab: Tab) -> chat.MessageDraft:
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


def _tab(seat: Seat, name: str) -> Tab:
    found = [tab for tab in chat.tabs_read_by(seat) if tab.value == (name or Tab.MAIN)]
    if not found:
        raise Http404
    return found[0]


def _not_taken(request: HttpRequest, seat: Seat, tab: Tab, reason: str, status: int) -> HttpResponse:
    """Respond why a message was refused. The form keeps its text."""
    if not request.accepts("text/html"):
        return JsonResponse({"reason": reason}, status=status)
    return _render_chat(request, seat, tab, status=status, refusal=reason, text=request.POST.get("text", ""))


def _render_chat(request: HttpRequest, seat: Seat, tab: Tab, *, status: int = 200, **more: Any) -> HttpResponse:
    of_tab = chat.readable(seat.session, seat).filter(tab=tab)
    if before := _message_before(of_tab, request.GET.get("before", "")):
        of_tab = of_tab.filter(sent_at__lt=before.sent_at)
    context = {
        "session": seat.session,
        "my_seat": seat,
        "tab": tab,
        "tabs": chat.tabs_read_by(seat),
        "runs": access.runs(seat),
        "before": before,
        **chat.latest(of_tab.prefetch_related("to"), A_PAGE),
        **chat.desk(seat.session, seat),
        **more,
    }
    response = render(request, "sessions/chat.html", context, status=status)
    response["Cache-Control"] = "no-store"
    return response


def _message_before(messages: Any, key: str) -> Message | None:
    """Return the message before which a page ends, if the reader may read it."""
    try:
        return messages.filter(pk=uuid.UUID(key)).first() if key else None
    except ValueError:
        raise Http404 from None


def _address(seat: Seat, tab: Tab) -> str:
    return f"{reverse('play:chat', args=[seat.session_id])}?tab={tab}"
