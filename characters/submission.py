"""The way from a sent form to a service. A refusal becomes words where its reader looks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages

from characters.refusals import sentence
from characters.rules import SheetRefused
from companion.http import HttpRequest


def saved(form: forms.Form, verb: Callable[[], Any]) -> bool:
    """Run a verb if the form is valid. A refusal becomes an error of the form."""
    if not form.is_valid():
        return False
    try:
        verb()
    except SheetRefused as refusal:
        form.add_error(None, sentence(refusal))
    return form.is_valid()


def status(form: forms.Form) -> int:
    """Return the status of a page with this form, 422 after a refusal."""
    return 422 if form.is_bound else 200


def tried(request: HttpRequest, verb: Callable[[], Any]) -> str:
    """Run a verb and return its refusal in words, or "". Without htmx, the next page shows it."""
    try:
        verb()
    except SheetRefused as refusal:
        if not request.headers.get("HX-Request"):
            messages.error(request, sentence(refusal))
        return sentence(refusal)
    return ""
