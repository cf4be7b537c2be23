"""Pages and actions of prepared things: write them, and hand them over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import ModelForm
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from companion.files import gallery
from companion.http import HttpRequest
from companion.pacing.heavy import WITH_A_PICTURE, heavy
from sessions import access
from sessions.evening import handouts, prepared, scenery
from sessions.evening.codes import read_number
from sessions.evening.prepared import KINDS, prepared_things
from sessions.forms.evening import prepared_form, written_form
from sessions.models import Handout, Session
from sessions.views.answers import back, done


@require_safe
@login_required
def desk(request: HttpRequest, pk: int) -> HttpResponse:
    """List everything that is prepared in a campaign."""
    campaign = access.campaign_gm(request.person, pk)
    return render(request, "sessions/preparing.html", {"campaign": campaign, **prepared_things(campaign)})


@heavy("POST", larger_than=WITH_A_PICTURE)
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def prepare(request: HttpRequest, pk: int, kind: str, item: int = 0) -> HttpResponse:
    """Create a prepared thing, or change it."""
    campaign = access.campaign_gm(request.person, pk)
    if kind not in KINDS:
        raise Http404
    known = get_object_or_404(KINDS[kind], pk=item, campaign=campaign) if item else None
    is_sent = request.method == "POST"
    form = prepared_form(KINDS[kind])(
        request.POST if is_sent else None, request.FILES if is_sent else None, instance=known
    )
    if is_sent and is_fit(request, form):
        form.instance.campaign = campaign
        _save(form)
        messages.success(request, _("Saved."))
        return redirect("play:preparing", pk)
    context = {"campaign": campaign, "form": form, "kind": kind, "known": known}
    return render(request, "sessions/prepare.html", context, status=422 if form.errors else 200)


@require_POST
@login_required
def discard(request: HttpRequest, pk: int, kind: str, item: int) -> HttpResponse:
    """Delete a prepared thing."""
    campaign = access.campaign_gm(request.person, pk)
    if kind not in KINDS:
        raise Http404
    get_object_or_404(KINDS[kind], pk=item, campaign=campaign).delete()
    return redirect("play:preparing", pk)


@heavy("POST", larger_than=WITH_A_PICTURE)
@require_POST
def write(request: HttpRequest, pk: int, kind: str) -> HttpResponse:
    """Create a prepared thing at the table. Respond with a confirmation, or with the errors by field."""
    session = access.seat_gm(request.person, pk).session
    if kind not in KINDS:
        raise Http404
    form = written_form(kind, session, request.POST, request.FILES)
    if not is_fit(request, form):
        return JsonResponse({"errors": form.errors}, status=422)
    return JsonResponse({"said": WRITERS[kind](session, form)})


def _write_handout(session: Session, form: ModelForm[Any]) -> str:
    said = form.cleaned_data
    seats, now = said["to"], said["now"]
    handouts.write(
        handout=form.save(commit=False), session=session, seats=seats, now=now, picture=said["picture"]
    )
    names = _(", ").join(seat.name for seat in seats)
    return _("Handed over: %(names)s") % {"names": names} if now else _("Written down.")


def _write_note(session: Session, form: ModelForm[Any]) -> str:
    picture, show = form.cleaned_data["picture"], form.cleaned_data["show"]
    prepared.write_note(session=session, note=form.save(commit=False), picture=picture, show=show)
    return _("Everybody sees the picture.") if show else _("Written down.")


def _write_check(session: Session, form: ModelForm[Any]) -> str:
    prepared.write_check(session=session, check=form.save(commit=False))
    return _("Written down.")


#: The function that saves each kind of thing that is written at the table, and returns a confirmation.
WRITERS: dict[str, Callable[[Session, ModelForm[Any]], str]] = {
    "handouts": _write_handout,
    "notes": _write_note,
    "checks": _write_check,
}


def is_fit(request: HttpRequest, form: ModelForm[Any]) -> bool:
    """True if a form can be saved. Uploads are counted before a picture is decoded."""
    if not request.FILES or gallery.UPLOADS.count(str(request.person and request.person.pk)):
        return form.is_valid()
    form.files = MultiValueDict()
    form.full_clean()
    form.add_error("picture" if "picture" in form.fields else None, gallery.SENTENCES["too_many_pictures"])
    return False


def _save(form: ModelForm[Any]) -> None:
    """Save a prepared thing; replace or remove its picture if the form says so."""
    thing, said = form.save(commit=False), form.cleaned_data
    if said.get("picture") or said.get("without"):
        scenery.save_with_picture(thing, said["picture"])
    else:
        thing.save()


@require_http_methods(["GET", "HEAD", "POST"])
def lay_out(request: HttpRequest, pk: int, handout_pk: int) -> HttpResponse:
    """Show one handout; POST lays it out for a seat, or takes it back."""
    if request.method != "POST":
        return _one_handout(request, pk, handout_pk)
    session, handout = _handout(request, pk, handout_pk)
    lay, take = (read_number(request.POST.get(name, "")) for name in ("lay", "take"))
    seat = get_object_or_404(session.seats.exclude(role="gm"), pk=lay or take)
    done(request, lambda: handouts.lay_out(handout=handout, seat=seat, lay=bool(lay)))
    return back(request, session)


def _one_handout(request: HttpRequest, pk: int, handout_pk: int) -> HttpResponse:
    seat = access.seat_kept(request.person, pk)
    if access.runs(seat):
        seat = access.seat_gm(request.person, pk)
    if not (shown := handouts.handout_context(seat, handout_pk)):
        raise Http404
    return render(request, "sessions/handout.html", {"session": seat.session, "my_seat": seat, **shown})


@require_POST
def hand_over(request: HttpRequest, pk: int) -> HttpResponse:
    """Hand over all handouts that are laid out: every phone shows the same card."""
    session = access.seat_gm(request.person, pk).session
    handouts.hand_over(session=session)
    return back(request, session)


@require_POST
def reveal(request: HttpRequest, pk: int, handout_pk: int) -> HttpResponse:
    """Let everybody read the secret of a handout, or hide it again."""
    session, handout = _handout(request, pk, handout_pk)
    handouts.reveal(session=session, handout=handout, revealed=request.POST.get("revealed") == "1")
    return back(request, session)


@require_POST
def put_away(request: HttpRequest, pk: int) -> HttpResponse:
    """Close the card that the player has read."""
    seat = access.seat_kept(request.person, pk)
    handouts.put_away(seat=seat, notice_pk=read_number(request.POST.get("notice", "")))
    return back(request, seat.session)


@require_safe
def handout_picture(request: HttpRequest, pk: int, key: str) -> HttpResponse:
    """Serve the picture of a handout to those who may read its secret; 404 for everybody else."""
    picture = request.person and handouts.picture_for(request.person, pk, key)
    if not picture:
        raise Http404
    return gallery.answer(picture)


@require_POST
def scene_picture(request: HttpRequest, pk: int) -> HttpResponse:
    """Show everybody the picture of a scene note, or take the shown picture away."""
    session = access.seat_gm(request.person, pk).session
    pictured = session.own_campaign.scene_notes.exclude(picture=None)
    wanted = request.POST.get("note")
    note = get_object_or_404(pictured, pk=read_number(wanted)) if wanted else None
    scenery.show_picture(session=session, note=note)
    return back(request, session)


@require_POST
def scene(request: HttpRequest, pk: int) -> HttpResponse:
    """Set the line that shows everybody the current scene of the story."""
    session = access.seat_gm(request.person, pk).session
    handouts.set_scene(session=session, scene=request.POST.get("scene", ""))
    return back(request, session)


def _handout(request: HttpRequest, pk: int, handout_pk: int) -> tuple[Session, Handout]:
    session = access.seat_gm(request.person, pk).session
    return session, get_object_or_404(session.own_campaign.handouts, pk=handout_pk)
