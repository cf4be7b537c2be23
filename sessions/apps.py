from django.apps import AppConfig


class PlayConfig(AppConfig):
    """The package is ``sessions``; Django's web sessions own that label, so ours is ``play``."""

    name = "sessions"
    label = "play"
    verbose_name = "Live sessions"

    def ready(self) -> None:
        """Say what people have here."""
        from companion import belongings
        from sessions.belongings import keeper

        belongings.keepers.append(keeper)
