"""An admin site that leaks no secrets through filters and gives no access to others' seats or accounts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.db.models import Model
from django.db.models.base import ModelBase
from django.http import HttpRequest, HttpResponse

#: Apps with email addresses and passkeys: a change to one would allow signing in as its owner.
KEYS = {"account", "mfa"}
#: The lookups that filters in the sidebar use.
ASKED = {"exact", "isnull", "gte", "lt", "id__exact", "year", "month", "day"}


class Filtered(admin.ModelAdmin):
    """An admin whose lists accept only the lookups of the filters that they offer.

    Django accepts any lookup on a model's own fields from the URL: ``?secret__regex=^a`` reveals a secret
    digit by digit without showing it.
    """

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        fields = [*self.list_filter, self.date_hierarchy]
        return any(lookup == field or lookup in {f"{field}__{how}" for how in ASKED} for field in fields)

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Model | None:
        try:
            return super().get_object(request, object_id, from_field)
        except OverflowError:
            return None  # the id is larger than any in the database

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """Return no initial data: Django takes it from the URL, and raises if an id there is not a number."""
        return {}


class ClosedSite(admin.AdminSite):
    """Django's admin with restricted lookups and the usual sign-in page, without the apps in ``KEYS``."""

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
        """Redirect to the usual sign-in page, which throttles guesses. A user without the right gets 403."""
        response: HttpResponse = secure_admin_login(super().login)(request, extra_context)
        return response
