import warnings

from django.apps import AppConfig
from django.db.models.signals import pre_save
from django.utils.translation.trans_real import DjangoTranslation


class CompanionConfig(AppConfig):
    """The base app: settings, people, the home page, cards and fate."""

    name = "companion"
    verbose_name = "Takujō"

    def ready(self) -> None:
        """Register the admin, checks, quotas and data keepers, set the forms' messages, hide a warning."""
        from companion import admin  # noqa: F401
        from companion.files import gallery
        from companion.identity import personal_data
        from companion.pages import defaults
        from companion.push import notifications
        from companion.requests import quotas
        from companion.server import checks  # noqa: F401

        defaults.replace_form_messages()

        personal_data.providers.append(gallery.provider)
        personal_data.providers.append(notifications.provider)

        # A message without a translation is shown in its source language, English. Django would fall back to
        # LANGUAGE_CODE, Japanese, and has no setting for it.
        DjangoTranslation._add_fallback = lambda *_args, **_kwargs: None  # type: ignore[attr-defined]

        pre_save.connect(quotas.check, dispatch_uid="quotas")

        # WhiteNoise passes synchronous iterators to ASGI. Django reads them whole: fine for small files.
        warnings.filterwarnings("ignore", "StreamingHttpResponse must consume synchronous iterators")
