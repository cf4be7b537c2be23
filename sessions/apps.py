from django.apps import AppConfig


class PlayConfig(AppConfig):
    """The package is ``sessions``; Django's web sessions own that label, so ours is ``play``."""

    name = "sessions"
    label = "play"
    verbose_name = "Live sessions"

    def ready(self) -> None:
        """Register the seats as things that people have, and listen for checklists that change."""
        from characters.signals import checklist_changed
        from companion import belongings
        from sessions.card_table import checklists
        from sessions.evening.ownership import keeper

        belongings.keepers.append(keeper)
        checklist_changed.connect(checklists.tell_pages)
