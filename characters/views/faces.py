"""The pages of a character's faces: its portrait or emblem, and the faces for its chat lines."""

from __future__ import annotations

from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from characters import access, forms, rules
from characters.models import Character
from characters.models.sheets import Emblem
from characters.rules import SheetRefused
from characters.services import faces as services
from characters.views.responses import action, form_page, posted_data, redirect_to, status, submit_form
from companion.files.gallery import UPLOADS
from companion.identity.people import HttpRequest
from companion.requests.queue import heavy


@heavy("POST")
@form_page
def edit_portrait(request: HttpRequest, pk: int) -> HttpResponse:
    """Set a character's portrait or emblem. The server crops pictures that the browser did not crop."""
    character = access.get_own_sheet(request, pk)
    emblem = "" if character.portrait else character.emblem
    form = forms.FaceForm(**posted_data(request), initial={"emblem": emblem})
    if submit_form(form, lambda: _save_face(character, form)):
        return redirect(character)
    context = {"character": character, "form": form, "emblems": Emblem.choices}
    return render(request, "characters/face.html", context, status=status(form))


@heavy("POST")
@form_page
def edit_faces(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the faces for a character's chat lines; a POST adds one."""
    character = access.get_own_sheet(request, pk)
    form = forms.LabelledFaceForm(**posted_data(request))

    def add_face() -> None:
        sent = _uploaded_picture(character, form)
        services.add_face(character=character, label=form.cleaned_data["label"], sent=sent)

    if submit_form(form, add_face):
        return redirect(_faces_page(character))
    shown = character.faces.with_pictures()
    context = {"character": character, "form": form, "faces": shown, "most": rules.FACES_AT_MOST}
    return render(request, "characters/faces.html", context, status=status(form))


def _faces_page(character: Character) -> str:
    return reverse("characters:faces", args=[character.pk])


@action(redirect_to(_faces_page))
def relabel_face(request: HttpRequest, character: Character, face: int) -> None:
    services.relabel_face(character=character, face_pk=face, label=request.POST.get("label", ""))


@action(redirect_to(_faces_page))
def move_face(request: HttpRequest, character: Character, face: int) -> None:
    services.move_face(character=character, face_pk=face, up="up" in request.POST)


@action(redirect_to(_faces_page))
def remove_face(request: HttpRequest, character: Character, face: int) -> None:
    services.remove_face(character=character, face_pk=face)


def _save_face(character: Character, form: forms.FaceForm) -> None:
    if emblem := form.cleaned_data["emblem"]:
        services.choose_emblem(character=character, emblem=emblem)
    else:
        services.set_portrait(character=character, sent=_uploaded_picture(character, form))


def _uploaded_picture(character: Character, form: Form) -> bytes:
    """Return the uploaded picture, b"" if there is none.

    Refusals: ``too_many_tries`` if the owner's upload limit is reached.
    """
    picture = form.cleaned_data["picture"]
    if picture and not UPLOADS.count(str(character.owner_id)):
        raise SheetRefused("too_many_tries")
    return picture.read() if picture else b""
