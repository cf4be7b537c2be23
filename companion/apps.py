import warnings

from django.apps import AppConfig


class CompanionConfig(AppConfig):
    """Ground floor: settings, people, home, cards and fate."""

    name = "companion"
    verbose_name = "Takujō"

    def ready(self) -> None:
        """Keep one harmless warning out of the terminal of whoever serves."""
        # WhiteNoise hands files to ASGI as plain iterators; Django reads them whole, fine for small files.
        warnings.filterwarnings("ignore", "StreamingHttpResponse must consume synchronous iterators")
