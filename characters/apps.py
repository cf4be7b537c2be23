from django.apps import AppConfig
from django.db.models.signals import post_delete
from django.utils.translation import gettext_lazy as _


class CharactersConfig(AppConfig):
    """Character sheets, their creation and their reference tables."""

    name = "characters"
    verbose_name = _("Characters")

    def ready(self) -> None:
        """Register the admin and characters as personal data, and delete their pictures with them."""
        from characters import admin  # noqa: F401
        from characters.models import Character, FacePicture
        from characters.personal_data import provider
        from characters.services import faces
        from companion.files import gallery
        from companion.identity import personal_data

        post_delete.connect(faces.discard_portrait, sender=Character)
        post_delete.connect(gallery.discard_with, sender=FacePicture)

        personal_data.providers.append(provider)
