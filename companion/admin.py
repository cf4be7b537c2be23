"""Accounts in Django's admin, where the host of a server closes one. The reference tables are there, too."""

from __future__ import annotations

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.http import HttpRequest

from companion.models import User

# The usual sign-in page throttles guesses. A user without the right gets 403.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]


@admin.register(User)
class AccountAdmin(admin.ModelAdmin):
    """Close and reopen accounts. ``manage.py`` makes hosts and changes the passwords of others."""

    list_display = ["username", "is_active"]
    list_filter = ["is_active"]
    search_fields = ["username"]
    fields = ["username", "is_active"]
    readonly_fields = ["username"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return False

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Allow the filter only: ``?password__regex=…`` would reveal a hash sign by sign."""
        return lookup == "is_active__exact"
