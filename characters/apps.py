from django.apps import AppConfig
from django.db.models.signals import post_delete
from django.utils.translation import gettext_lazy as _


class CharactersConfig(AppConfig):
    """Character sheets, their creation and their reference tables."""

    name = "characters"
    verbose_name = _("Characters")

    def ready(self) -> None:
        """Register characters as personal data, and delete their pictures with them."""
        from characters.belongings import keeper
        from characters.models import Character, FacePicture
        from characters.services import faces
        from companion.files import gallery
        from companion.identity import belongings

        post_delete.connect(faces.discard_portrait, sender=Character)
        post_delete.connect(gallery.discard_with, sender=FacePicture)

        belongings.keepers.append(keeper)
