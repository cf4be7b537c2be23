from django.apps import AppConfig


class CompanionConfig(AppConfig):
    """Ground floor: settings, people, home, cards and fate."""

    name = "companion"
    verbose_name = "Takujō"
