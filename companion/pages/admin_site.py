"""The admin that keeps what it may not show: no oracle, and no way around somebody's seat or account."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.db.models import Model
from django.db.models.base import ModelBase
from django.http import HttpRequest, HttpResponse

#: Addresses and passkeys: whoever changes one signs in as somebody else.
KEYS = {"account", "mfa"}
#: The form of a filter's question in the sidebar.
ASKED = {"exact", "isnull", "gte", "lt", "id__exact", "year", "month", "day"}


class Filtered(admin.ModelAdmin):
    """Lists that are narrowed by the filters they offer, and by nothing else.

    Django takes any look-up of a model's own fields from the address: ``?secret__regex=^a`` tells a secret
    digit by digit without ever showing it.
    """

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        fields = [*self.list_filter, self.date_hierarchy]
        return any(lookup == field or lookup in {f"{field}__{how}" for how in ASKED} for field in fields)

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Model | None:
        try:
            return super().get_object(request, object_id, from_field)
        except OverflowError:
            return None  # No row has a number as large as that.

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """Nothing: Django fills a form from the address, and fails where that names no number of a row."""
        return {}


class ClosedSite(admin.AdminSite):
    """Django's admin with filtered lists and without keys, entered by the sign-in page of everybody."""

    def register(
        self,
        model_or_iterable: type[Model] | Iterable[type[Model]],
        admin_class: type[admin.ModelAdmin] | None = None,
        **options: Any,
    ) -> None:
        models = [model_or_iterable] if isinstance(model_or_iterable, ModelBase) else model_or_iterable
        kept = [model for model in models if model._meta.app_label not in KEYS]
        base = admin_class or admin.ModelAdmin
        super().register(kept, type(base.__name__, (Filtered, base), {}), **options)

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Lead to the sign-in page, which slows down who guesses; somebody without the right gets 403."""
        response: HttpResponse = secure_admin_login(super().login)(request, extra_context)
        return response
