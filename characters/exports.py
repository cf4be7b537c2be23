"""Export of a character to other tools: files to download, and an address that programs can fetch."""

from __future__ import annotations

import re
import unicodedata

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.utils.translation import get_language
from django.views.decorators.http import require_http_methods, require_safe

from characters import access
from characters.exchange import ccfolia, palette, udonarium
from characters.exchange import sheet_json as own
from characters.exchange.plain import PlainSheet
from characters.exchange.wording import Wording, wording
from characters.models import Character
from characters.services import plain_sheet, sheet_with_faces
from companion.http import HttpRequest
from companion.models import Picture
from companion.pages.public_origin import origin_of


@require_safe
def page(request: HttpRequest, pk: int) -> HttpResponse:
    """Redirect the short address to the sheet. The sheet's own view checks who may read it."""
    return redirect("characters:sheet", pk)


@require_http_methods(["GET", "HEAD", "OPTIONS"])
def character_json(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the sheet in our own format. Pages of any origin may fetch a public one."""
    character = _readable(request, pk)
    return _json_answer(request, character, to_anybody=access.is_public(character))


@require_http_methods(["GET", "HEAD", "OPTIONS"])
def shared_json(request: HttpRequest, key: str) -> HttpResponse:
    """Return the sheet behind a share link in our own format. Knowing the link is enough."""
    return _json_answer(request, access.get_shared_character(key), to_anybody=True)


@require_safe
def palette_text(request: HttpRequest, pk: int) -> HttpResponse:
    character = _readable(request, pk)
    text = palette.palette_text(plain_sheet(character), words())
    return _fleeting(HttpResponse(text, content_type="text/plain; charset=utf-8"))


@require_safe
def udonarium_zip(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the zip for Udonarium, named after the character."""
    character = _readable(request, pk)
    archive = udonarium.archive(
        _sheet(request, character),
        player=character.owner.name,
        url=way_back(request, character),
        words=words(),
    )
    return _fleeting(_file(archive, "application/zip", f"{file_name(character.name)}.zip"))


def ccfolia_text(request: HttpRequest, character: Character) -> str:
    """Return the CCFOLIA piece of a character, to be copied to the clipboard."""
    return ccfolia.piece_text(
        ccfolia.character_piece(
            plain_sheet(character),
            player=character.owner.name,
            url=way_back(request, character),
            words=words(),
            icon=icon_of(request, character.portrait),
            faces=faces_of(request, character),
        )
    )


def icon_of(request: HttpRequest, picture: Picture | None) -> str:
    """Return the absolute address of a picture for other boards; "" without https, as at home."""
    origin = origin_of(request)
    return origin + picture.get_absolute_url() if picture and origin.startswith("https://") else ""


def faces_of(request: HttpRequest, character: Character) -> list[tuple[str, str]]:
    """Return labels and addresses of the faces that other boards can show; none unless the owner asks."""
    if character.owner != request.person:
        return []
    faces = [(face.label, icon_of(request, face.picture)) for face in character.faces.with_pictures()]
    return [(label, icon) for label, icon in faces if icon]


def way_back(request: HttpRequest, character: Character) -> str:
    """Return the address that a piece links to: the sheet if it is shown to others, else our home page."""
    path = reverse("exports:page", args=[character.pk]) if access.is_shown(character) else "/"
    return origin_of(request) + path


def words() -> Wording:
    """Return the labels of pieces in the reader's language."""
    return wording(get_language())


def file_name(name: str) -> str:
    """Return a character's name as a file name that every system allows."""
    shown = "".join(" " if unicodedata.category(char)[0] == "C" else char for char in name)
    return re.sub(r'[\\/:*?"<>|\s]+', "_", shown).strip("._") or "character"


def _readable(request: HttpRequest, pk: int) -> Character:
    character = access.get_visible_character(request, pk)
    if not character.is_done:
        raise Http404
    return character


def _sheet(request: HttpRequest, character: Character) -> PlainSheet:
    """Return a sheet for export. Only the owner gets faces, as some may be unused so far."""
    return sheet_with_faces(character) if character.owner == request.person else plain_sheet(character)


def _json_answer(request: HttpRequest, character: Character, *, to_anybody: bool) -> HttpResponse:
    """Return a sheet in our own format, or the answer to a preflight request.

    :param to_anybody: True if pages of other origins may read the answer.
    """
    if request.method == "OPTIONS":
        answer = HttpResponse(status=204, headers={"Allow": "GET, HEAD, OPTIONS"})
    else:
        url = way_back(request, character) if access.is_shown(character) else ""
        document = own.write_document(_sheet(request, character), player=character.owner.name, url=url)
        answer = _file(own.text(document).encode(), "application/json", f"{file_name(character.name)}.json")
    if to_anybody:
        answer["Access-Control-Allow-Origin"] = "*"
        answer["Access-Control-Allow-Methods"] = "GET, HEAD, OPTIONS"
        answer["Access-Control-Allow-Headers"] = "*"
    return _fleeting(answer)


def _file(content: bytes, content_type: str, name: str) -> HttpResponse:
    headers = {"Content-Disposition": str(content_disposition_header(True, name))}
    return HttpResponse(content, content_type=content_type, headers=headers)


def _fleeting(answer: HttpResponse) -> HttpResponse:
    """Forbid caching and indexing, since a sheet that is shown today may be private tomorrow."""
    answer["Cache-Control"] = "no-store"
    answer["X-Robots-Tag"] = "noindex"
    return answer
