from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CharactersConfig(AppConfig):
    """Character sheets and what they are made of."""

    name = "characters"
    verbose_name = _("Characters")

    def ready(self) -> None:
        """Register the characters among the belongings of people."""
        from characters.belongings import keeper
        from companion import belongings

        belongings.keepers.append(keeper)
