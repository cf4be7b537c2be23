"""The page of a character's face."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from characters import access, forms, services
from characters.models import Character
from characters.models.sheets import Emblem
from characters.rules import SheetRefused
from characters.submission import saved, status
from companion.files.gallery import UPLOADS
from companion.http import HttpRequest
from companion.pacing.heavy import heavy


@heavy("POST")
@require_http_methods(["GET", "HEAD", "POST"])
def face(request: HttpRequest, pk: int) -> HttpResponse:
    """Give a character a portrait or an emblem. What no device has cut is cut here."""
    character = access.character_read(request, pk)
    is_sent = request.method == "POST"
    form = forms.FaceForm(
        request.POST if is_sent else None,
        request.FILES if is_sent else None,
        initial={"emblem": "" if character.portrait else character.emblem},
    )
    if is_sent and saved(form, lambda: _wear(character, form)):
        return redirect(character)
    context = {"character": character, "form": form, "emblems": Emblem.choices}
    return render(request, "characters/face.html", context, status=status(form))


def _wear(character: Character, form: forms.FaceForm) -> None:
    if emblem := form.cleaned_data["emblem"]:
        services.choose_emblem(character=character, emblem=emblem)
        return
    picture = form.cleaned_data["picture"]
    if picture and not UPLOADS.count(str(character.owner_id)):
        raise SheetRefused("too_many_tries")
    services.set_portrait(character=character, sent=picture.read() if picture else b"")
