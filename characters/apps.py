from django.apps import AppConfig


class CharactersConfig(AppConfig):
    """Character sheets and what they are made of."""

    name = "characters"
