from django.apps import AppConfig


class PlayConfig(AppConfig):
    """The package is ``sessions``; Django's web sessions own that label, so ours is ``play``."""

    name = "sessions"
    label = "play"
    verbose_name = "Live sessions"

    def ready(self) -> None:
        from characters.signals import checklist_changed
        from sessions import experience

        checklist_changed.connect(experience.tell_pages)
