"""The app of sessions, and its start-up check.

A game that cannot be loaded gives a warning; all others stay playable.
"""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.core import checks
from django.db.models.signals import post_delete, post_save, pre_delete

from sessions.engine.registry import left_out


class PlayConfig(AppConfig):
    """The package is ``sessions``; Django's web sessions own that label, so ours is ``play``."""

    name = "sessions"
    label = "play"
    verbose_name = "Live sessions"

    def ready(self) -> None:
        """Register checks, the providers of personal data, and the handlers of signals from other apps."""
        from characters.models import Creation
        from characters.services.sheets import checklist_changed, face_changed
        from companion.files import gallery
        from companion.identity import personal_data
        from sessions.archive import erasure
        from sessions.archive.personal_data import scenario_provider, session_data
        from sessions.card_table import checklists
        from sessions.evening import devices, nights, preparation
        from sessions.models import Handout, LibraryNpc, ScenarioPicture, SceneNote

        personal_data.providers.append(
            personal_data.DataProvider(
                name="seats",
                list_belongings=devices.list_seats,
                hand_over=devices.hand_over_seats,
                give_back=devices.give_back_seats,
                clear=erasure.erase_person_data,
                data=session_data,
                estates=erasure.owned_campaigns,
                bequeath=erasure.hand_over_campaign,
                is_here=devices.has_open_page,
                on_move=devices.notify_pages,
            )
        )
        personal_data.providers.append(scenario_provider)
        checklist_changed.connect(checklists.tell_pages)
        face_changed.connect(nights.announce_face_change)
        post_save.connect(nights.announce_creation, sender=Creation)
        for pictured in (Handout, SceneNote):
            pre_delete.connect(preparation.delete_picture, sender=pictured)
        post_delete.connect(gallery.discard_with, sender=LibraryNpc)
        post_delete.connect(gallery.discard_with, sender=ScenarioPicture)


@checks.register
def check_games(**kwargs: Any) -> list[checks.CheckMessage]:
    return [
        checks.Warning(f"The game {package} stays off the shelf: {why}", id="play.W001")
        for package, why in left_out().items()
    ]
