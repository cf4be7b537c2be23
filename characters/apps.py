from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CharactersConfig(AppConfig):
    """Character sheets and what they are made of."""

    name = "characters"
    verbose_name = _("Characters")
