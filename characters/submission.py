"""Call services from views. A refusal becomes an error of the form or a message."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages

from characters.refusals import sentence
from characters.rules import SheetRefused
from companion.http import HttpRequest


def submit_form(form: forms.Form, verb: Callable[[], Any]) -> bool:
    """Call ``verb`` if the form is valid; add its refusal to the form. Return True on success."""
    if not form.is_valid():
        return False
    try:
        verb()
    except SheetRefused as refusal:
        form.add_error(None, sentence(refusal))
    return form.is_valid()


def status(form: forms.Form) -> int:
    """Return the HTTP status of a page with this form: 422 if the form was sent."""
    return 422 if form.is_bound else 200


def run_service(request: HttpRequest, verb: Callable[[], Any]) -> str:
    """Call ``verb``; return its refusal as a sentence, or "". Without htmx, also add a message."""
    try:
        verb()
    except SheetRefused as refusal:
        if not request.headers.get("HX-Request"):
            messages.error(request, sentence(refusal))
        return sentence(refusal)
    return ""
