"""Admin of accounts and people. It gives no staff member a way to act as another account or person."""

from typing import Any, NoReturn

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

from companion.models import Person, User


@admin.register(User)
class AccountAdmin(UserAdmin):
    """Accounts with their rights. Passwords of others are changed with ``manage.py changepassword`` only."""

    list_display = ["username", "is_active", "is_staff", "last_login"]
    search_fields = ["username"]
    fieldsets = [
        (None, {"fields": ["username"]}),
        (None, {"fields": ["is_active", "is_staff", "is_superuser", "groups", "user_permissions"]}),
        (None, {"fields": ["last_login", "date_joined"]}),
    ]
    readonly_fields = ["last_login", "date_joined"]

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> NoReturn:  # noqa: A002
        raise PermissionDenied


@admin.register(Person)
class PersonAdmin(admin.ModelAdmin):
    list_display = ["name", "user", "created_at"]
    search_fields = ["name", "user__username"]
    ordering = ["pk"]
    fields = ["name", "user", "created_at"]
    readonly_fields = ["user", "created_at"]

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False: persons are created for devices and accounts only."""
        return False
