"""Stored pictures: saving, ownership, and the view that serves them.

Pictures are database rows, so that backups and several processes need no shared folder. A row never changes:
a new picture is a new row with a new URL, so browsers may cache a URL for ever.
"""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from companion.files import pictures
from companion.identity.personal_data import DataProvider, transfer_rows
from companion.models import Person, Picture
from companion.requests.throttle import DAY, HOUR, Windows

#: The reasons for refusing a picture, by code.
SENTENCES = {
    "picture_empty": _("Please choose a picture."),
    "picture_too_heavy": _("This file is too large: 5 MB at most."),
    "picture_too_wide": _("This picture has too many pixels: 25 million, and 10,000 on a side, at most."),
    "picture_unreadable": _("This is no whole JPEG, PNG or WebP picture."),
    "too_many_pictures": _("Many pictures came from you. Please try again in an hour."),
}
#: The rate limit of uploads per person, because re-encoding a picture is expensive.
UPLOADS = Windows("picture", ((40, HOUR), (120, DAY)))
HEADERS = {
    # If a browser ever renders it as a page, no script in it runs.
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Content-Disposition": "inline",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex",
}
OPEN_HEADERS = HEADERS | {
    "Cache-Control": "private, max-age=31536000, immutable",
    # Virtual tabletops of other sites show it for exported pieces.
    "Access-Control-Allow-Origin": "*",
    "Cross-Origin-Resource-Policy": "cross-origin",
}
#: The device caches nothing, as others may use it later, and no other site may embed the picture.
GUARDED_HEADERS = HEADERS | {
    "Cache-Control": "private, no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def store_picture(owner: Person, picture: pictures.EncodedPicture, *, guarded: bool = False) -> Picture:
    """Store a picture, or raise ``QuotaExceeded``."""
    return Picture.objects.create(
        owner=owner, content=picture.content, width=picture.width, height=picture.height, guarded=guarded
    )


def picture_content(picture: Picture) -> pictures.EncodedPicture:
    """Return a stored picture as ``store_picture`` takes it, to store a copy."""
    return pictures.EncodedPicture(bytes(picture.content), picture.width, picture.height)


def discard(picture_pk: int | None) -> None:
    """Delete a picture that no row uses any more."""
    if picture_pk:
        Picture.objects.filter(pk=picture_pk).delete()


def discard_with(sender: Any, instance: Any, **kwargs: Any) -> None:
    """Delete the ``picture`` of a deleted row; a receiver of ``post_delete``."""
    discard(instance.picture_id)


def picture_response(picture: Picture) -> HttpResponse:
    headers = GUARDED_HEADERS if picture.guarded else OPEN_HEADERS
    return HttpResponse(bytes(picture.content), content_type=pictures.MEDIA_TYPE, headers=headers)


@require_safe
def picture(request: HttpRequest, key: str) -> HttpResponse:
    """Serve a picture to every client that knows its URL: the table's public screen has no signed-in user."""
    return picture_response(get_object_or_404(Picture, key=key, guarded=False))


#: Pictures are listed and exported with the objects that show them.
provider = DataProvider(
    "pictures",
    list_belongings=lambda person, receiver: [],
    hand_over=lambda person, receiver: transfer_rows(Picture.objects.filter(owner=person), receiver),
    give_back=lambda rows, person: Picture.objects.filter(pk__in=rows).update(owner=person),
    clear=lambda person: Picture.objects.filter(owner=person).delete(),
    data=lambda person: {},
)
