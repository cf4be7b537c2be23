"""The pages of a character's faces: its portrait or emblem, and the faces for its chat lines."""

from __future__ import annotations

from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from characters import access, forms, rules
from characters.forms import run_service, status, submit_form
from characters.models import Character
from characters.models.sheets import Emblem
from characters.rules import SheetRefused
from characters.services import faces as services
from companion.files.gallery import UPLOADS
from companion.identity.people import HttpRequest
from companion.requests.queue import heavy


@heavy("POST")
@require_http_methods(["GET", "HEAD", "POST"])
def face(request: HttpRequest, pk: int) -> HttpResponse:
    """Set a character's portrait or emblem. The server crops pictures that the browser did not crop."""
    character = access.get_own_sheet(request, pk)
    is_sent = request.method == "POST"
    form = forms.FaceForm(
        request.POST if is_sent else None,
        request.FILES if is_sent else None,
        initial={"emblem": "" if character.portrait else character.emblem},
    )
    if is_sent and submit_form(form, lambda: _save_face(character, form)):
        return redirect(character)
    context = {"character": character, "form": form, "emblems": Emblem.choices}
    return render(request, "characters/face.html", context, status=status(form))


@heavy("POST")
@require_http_methods(["GET", "HEAD", "POST"])
def faces(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the faces for a character's chat lines; a POST adds one."""
    character = access.get_own_sheet(request, pk)
    is_sent = request.method == "POST"
    form = forms.LabelledFaceForm(request.POST if is_sent else None, request.FILES if is_sent else None)

    def add_face() -> None:
        sent = _uploaded_picture(character, form)
        services.add_face(character=character, label=form.cleaned_data["label"], sent=sent)

    if is_sent and submit_form(form, add_face):
        return redirect("characters:faces", pk)
    shown = character.faces.with_pictures()
    context = {"character": character, "form": form, "faces": shown, "most": rules.FACES_AT_MOST}
    return render(request, "characters/faces.html", context, status=status(form))


@require_POST
def relabel_face(request: HttpRequest, pk: int, face: int) -> HttpResponse:
    character, label = access.get_own_character(request, pk), request.POST.get("label", "")
    run_service(request, lambda: services.relabel_face(character=character, face_pk=face, label=label))
    return redirect("characters:faces", pk)


@require_POST
def move_face(request: HttpRequest, pk: int, face: int) -> HttpResponse:
    character, up = access.get_own_character(request, pk), "up" in request.POST
    run_service(request, lambda: services.move_face(character=character, face_pk=face, up=up))
    return redirect("characters:faces", pk)


@require_POST
def remove_face(request: HttpRequest, pk: int, face: int) -> HttpResponse:
    character = access.get_own_character(request, pk)
    run_service(request, lambda: services.remove_face(character=character, face_pk=face))
    return redirect("characters:faces", pk)


def _save_face(character: Character, form: forms.FaceForm) -> None:
    if emblem := form.cleaned_data["emblem"]:
        services.choose_emblem(character=character, emblem=emblem)
    else:
        services.set_portrait(character=character, sent=_uploaded_picture(character, form))


def _uploaded_picture(character: Character, form: Form) -> bytes:
    """Return the uploaded picture, b"" if there is none.

    :raises SheetRefused: ``too_many_tries`` if the owner's upload limit is reached.
    """
    picture = form.cleaned_data["picture"]
    if picture and not UPLOADS.count(str(character.owner_id)):
        raise SheetRefused("too_many_tries")
    return picture.read() if picture else b""
