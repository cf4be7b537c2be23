from django.apps import AppConfig
from django.db.models.signals import post_delete, pre_delete


class PlayConfig(AppConfig):
    """The package is ``sessions``; Django's web sessions own that label, so ours is ``play``."""

    name = "sessions"
    label = "play"
    verbose_name = "Live sessions"

    def ready(self) -> None:
        """Register checks, the providers of personal data, and the handlers of signals from other apps."""
        from characters.signals import checklist_changed, face_changed
        from companion.files import gallery
        from companion.identity import belongings
        from sessions import checks  # noqa: F401
        from sessions.card_table import checklists
        from sessions.evening import new_devices, nights, ownership, scenery
        from sessions.keeping import erasure, own_data, own_scenarios
        from sessions.models import Handout, LibraryNpc, ScenarioPicture, SceneNote

        belongings.keepers.append(
            belongings.DataProvider(
                name="seats",
                of=ownership.seats_of,
                hand_over=ownership.hand_over_seats,
                give_back=ownership.give_back_seats,
                clear=erasure.erase_person_data,
                data=own_data.session_data,
                estates=erasure.estates,
                bequeath=erasure.bequeath,
                is_here=new_devices.is_here,
                told=new_devices.notify_pages,
            )
        )
        belongings.keepers.append(own_scenarios.keeper)
        checklist_changed.connect(checklists.tell_pages)
        face_changed.connect(nights.tell_pages)
        for pictured in (Handout, SceneNote):
            pre_delete.connect(scenery.withdraw_picture, sender=pictured)
        post_delete.connect(gallery.discard_with, sender=LibraryNpc)
        post_delete.connect(gallery.discard_with, sender=ScenarioPicture)
