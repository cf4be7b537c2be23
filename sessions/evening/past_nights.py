"""The sessions of a campaign, page by page."""

from __future__ import annotations

from dataclasses import dataclass

from sessions.models import Campaign, Session

#: Sessions per page.
SESSIONS_A_PAGE = 30


@dataclass(frozen=True)
class SessionPage:
    """A page of sessions, newest first. They are numbered from the oldest on, so new ones do not shift pages.

    The page of earlier sessions ends before number ``earlier``, that of later ones begins with ``later``.
    """

    nights: list[Session]
    earlier: int | None
    later: int | None


def session_page(campaign: Campaign, *, first: int | None = None, before: int | None = None) -> SessionPage:
    """Return the page from session number ``first`` on, or the one before ``before``, or else the newest."""
    nights = campaign.evenings.order_by("-opened_at", "-pk")
    count = nights.count()
    if first is not None:
        start = min(max(first - 1, 0), count)
        end = min(start + SESSIONS_A_PAGE, count)
    else:
        end = min(before - 1, count) if before else count
        start = max(end - SESSIONS_A_PAGE, 0)
    found = list(nights[count - end : count - start])
    return SessionPage(found, start + 1 if start else None, end + 1 if end < count else None)
