import warnings

from django.apps import AppConfig
from django.contrib.admin import apps as admin_apps
from django.db.models.signals import pre_save
from django.utils.translation.trans_real import DjangoTranslation


class CompanionConfig(AppConfig):
    """Ground floor: settings, people, home, cards and fate."""

    name = "companion"
    verbose_name = "Takujō"

    def ready(self) -> None:
        """Register checks, quotas and pictures, give forms our words, and hide one harmless warning."""
        from companion.files import gallery
        from companion.identity import belongings
        from companion.limits import quotas
        from companion.pages import form_words
        from companion.push import subscriptions
        from companion.server import checks  # noqa: F401

        form_words.speak()

        belongings.keepers.append(gallery.keeper)
        belongings.keepers.append(subscriptions.keeper)

        # A sentence that a language lacks is shown as its source has it, in English. Django would show that
        # of LANGUAGE_CODE, in Japanese, and has no setting for it.
        DjangoTranslation._add_fallback = lambda *_args, **_kwargs: None  # type: ignore[attr-defined]

        pre_save.connect(quotas.check, dispatch_uid="quotas")

        # WhiteNoise hands files to ASGI as plain iterators; Django reads them whole, fine for small files.
        warnings.filterwarnings("ignore", "StreamingHttpResponse must consume synchronous iterators")


class ClosedAdminConfig(admin_apps.AdminConfig):
    """Django's admin with a site of ours."""

    default = False
    default_site = "companion.pages.admin_site.ClosedSite"
