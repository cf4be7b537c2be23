"""Sounds of scenarios: their upload, the sound that plays at the table, and the response that sends one."""

from __future__ import annotations

import re
import time
from pathlib import PurePath
from typing import Any

from django.core.files import File
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from characters.exchange.wording import one_line
from companion.files import sounds
from companion.files.gallery import HEADERS
from companion.limits.quotas import DAY, HOUR
from companion.limits.throttle import Windows
from sessions.models import Scenario, ScenarioSound, Seat, Session

#: The reasons for which a sound is refused, by code.
SENTENCES = {
    "sound_empty": _("Please choose a sound."),
    "sound_too_heavy": _("This file is too large: 8 MB at most."),
    "sound_too_long": _("This sound is too long: 10 minutes at most."),
    "sound_is_film": _("This is a film. Please choose a file with nothing but sound."),
    "sound_for_apple": _(
        "This is %(kind)s, which only Apple’s browsers play. Please send it as MP3, M4A (AAC), Ogg or WAV."
    ),
    "sound_of_other_kind": _(
        "This is %(kind)s, which is not taken here. Please send it as MP3, M4A (AAC), Ogg or WAV."
    ),
    "sound_unreadable": _("This is no whole MP3, Ogg, M4A or WAV file."),
    "too_many_sounds": _("Many sounds came from you. Please try again in an hour."),
}
#: The rate limit of uploads, per person.
UPLOADS = Windows("sound", ((30, HOUR), (90, DAY)))

#: A sound never changes.
SOUND_HEADERS = HEADERS | {
    "Accept-Ranges": "bytes",
    "Cache-Control": "private, max-age=31536000, immutable",
    "Cross-Origin-Resource-Policy": "same-origin",
}
#: A ``Range`` header with one range: from a byte on, between two bytes, or the last bytes.
ONE_RANGE = re.compile(r"bytes=(\d{1,12})?-(\d{1,12})?\Z", re.ASCII)


def keep_sound(scenario: Scenario, upload: File[Any]) -> ScenarioSound:
    """Store an uploaded sound with a scenario, without the metadata of its file.

    :raises companion.files.sounds.SoundRefused: with one of the codes of ``SENTENCES``.
    :raises companion.limits.quotas.Full: its owner has too many.
    """
    if not UPLOADS.count(str(scenario.owner_id)):
        raise sounds.SoundRefused("too_many_sounds")
    sound = sound_row(sounds.check_sound(upload.read()), scenario=scenario, name=PurePath(upload.name or "").stem)
    sound.save()
    return sound


def sound_row(sound: sounds.Sound, *, name: str, **fields: Any) -> ScenarioSound:
    """Return an unsaved row for a sound with this name."""
    return ScenarioSound(
        name=one_line(name)[:60] or gettext("sound"),
        media_type=sound.media_type,
        seconds=sound.seconds,
        size=len(sound.content),
        content=sound.content,
        **fields,
    )


def copy_sound(sound: ScenarioSound, scenario: Scenario) -> str:
    """Store the same sound with another scenario; return its new key.

    :raises companion.limits.quotas.Full: the scenario's owner has no room for it.
    """
    same = {name: getattr(sound, name) for name in ("name", "media_type", "seconds", "size", "content")}
    return ScenarioSound.objects.create(scenario=scenario, **same).key


def sound_response(request: HttpRequest, sound: ScenarioSound) -> HttpResponse:
    """Return the response with a sound, or with the byte range that the request asks for."""
    # No gzip: ranges count the bytes of the sound itself, which is compressed already.
    request.META.pop("HTTP_ACCEPT_ENCODING", None)
    content = bytes(sound.content)
    part = _part(request.headers.get("Range", ""), len(content))
    if part is None:
        return HttpResponse(content, content_type=sound.media_type, headers=SOUND_HEADERS)
    if not part:
        return HttpResponse(status=416, headers=SOUND_HEADERS | {"Content-Range": f"bytes */{len(content)}"})
    headers = SOUND_HEADERS | {"Content-Range": f"bytes {part[0]}-{part[-1]}/{len(content)}"}
    sent = content[part.start : part.stop]
    return HttpResponse(sent, status=206, content_type=sound.media_type, headers=headers)


def sound_context(session: Session, seat: Seat | None) -> dict[str, Any]:
    """Return the template values of the region that plays sounds, the same for everybody."""
    staged = {} if session.ended_at else session.staged
    key = staged.get("sound", "")
    return {
        "ambience": staged.get("ambience", ""),
        "sound_url": reverse("play:sound", args=[key]) if key else "",
        "since": staged.get("since", ""),
    }


def sound_since(before: dict[str, Any], sound: str) -> int:
    """Return when a sound began, in milliseconds of the server's clock; a sound that is playing goes on."""
    if sound == before.get("sound") and "since" in before:
        return int(before["since"])
    return round(time.time() * 1000)


def _part(wanted: str, size: int) -> range | None:
    """Return the positions of the requested bytes, an empty range if there are none; None for all bytes."""
    asked = ONE_RANGE.match(wanted)
    if not asked or asked[1] is asked[2] is None:
        return None
    if asked[1] is None:
        return range(max(0, size - int(asked[2])), size)
    return range(int(asked[1]), min(size, int(asked[2] or size) + 1))
