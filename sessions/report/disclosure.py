"""The disclosure of an ended session: its secrets to the people in it, its replays to others."""

from __future__ import annotations

import uuid

from django.db import transaction
from django.utils import timezone

from sessions.evening import announcing, refusals
from sessions.models import Session


@transaction.atomic
def open_secrets(*, session: Session, is_open: bool) -> None:
    """Let everybody seated read all that was hidden, or revoke that. Readers remember what they read.

    :raises Refused: ``session_running``.
    """
    session = _lock_ended_session(session)
    session.secrets_opened_at = (session.secrets_opened_at or timezone.now()) if is_open else None
    session.save(update_fields=["secrets_opened_at"])
    announcing.broadcast(session.pk)


@transaction.atomic
def share_replays(*, session: Session, is_shared: bool) -> None:
    """Let everybody with the link see the replays, or revoke that. Sharing again makes a new link.

    :raises Refused: ``session_running``.
    """
    session = _lock_ended_session(session)
    session.replay_key = (session.replay_key or uuid.uuid4()) if is_shared else None
    session.save(update_fields=["replay_key"])


def _lock_ended_session(session: Session) -> Session:
    """Return the session with its row locked.

    :raises Refused: ``session_running``.
    """
    locked = Session.objects.select_for_update().get(pk=session.pk)
    if locked.ended_at is None:
        raise refusals.Refused("session_running")
    return locked
