"""Export of all data of a person as one file."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

from allauth.mfa.models import Authenticator
from django.core.serializers.json import DjangoJSONEncoder

from companion.identity import belongings
from companion.models import Person


def export_zip(person: Person) -> bytes:
    """Return a zip of JSON documents; ``docs/formats.md`` describes it."""
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, document in {"person.json": _person_document(person), **belongings.data(person)}.items():
            text = json.dumps(document, ensure_ascii=False, indent=2, cls=DjangoJSONEncoder)
            archive.writestr(name, text + "\n")
    return raw.getvalue()


def _person_document(person: Person) -> dict[str, Any]:
    user = person.user
    account = user and {
        "name": user.get_username(),
        "email": user.email,
        "turns_by_mail_to": user.turn_mail,
        "made_at": user.date_joined,
        "signed_in_at": user.last_login,
        "passkeys": [str(key.wrap().name) for key in Authenticator.objects.filter(user=user)],
    }
    return {
        "format": "takujo.person",
        "version": 1,
        "name": person.name,
        "created_at": person.created_at,
        "account": account,
    }
