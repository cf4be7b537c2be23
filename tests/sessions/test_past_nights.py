"""The nights of a campaign, page by page."""

from __future__ import annotations

import re

import pytest

from sessions.evening import nights
from sessions.evening.nights import SESSIONS_A_PAGE, session_page
from sessions.models import Campaign, Session
from tests.conftest import Somebody

pytestmark = pytest.mark.django_db
MANY = 2 * SESSIONS_A_PAGE + 1


@pytest.fixture
def campaign(gm: Somebody) -> Campaign:
    found = Campaign.objects.create(gm=gm.person, name="蛇の夜")
    for number in range(1, MANY + 1):
        nights.open_session(campaign=found, title=f"night {number}")
    return found


def titles(page: str) -> list[int]:
    return [int(number) for number in re.findall(r">night (\d+)<", page)]


def test_sessions_of_a_campaign_are_listed_newest_first_page_by_page(
    campaign: Campaign, gm: Somebody
) -> None:
    address = f"/gm/campaigns/{campaign.pk}/"
    found, pages = [], 0
    query = ""
    while True:
        page = gm.client.get(address + query).content.decode()
        pages += 1
        found += titles(page)
        earlier = re.search(r'id="log-earlier"\s+href="([^"]+)"', page)
        if earlier is None:
            break
        query = earlier[1]
    assert found == list(range(MANY, 0, -1))
    assert pages == 3
    assert titles(gm.client.get(address + "?from=start").content.decode())[-1] == 1
    assert titles(gm.client.get(address + "?before=end").content.decode())[0] == MANY


def test_a_new_session_does_not_change_the_pages_of_earlier_sessions(
    campaign: Campaign, gm: Somebody
) -> None:
    address = f"/gm/campaigns/{campaign.pk}/?before={SESSIONS_A_PAGE + 1}"
    before = titles(gm.client.get(address).content.decode())
    nights.open_session(campaign=campaign, title="night 99")
    assert titles(gm.client.get(address).content.decode()) == before == list(range(SESSIONS_A_PAGE, 0, -1))


def test_htmx_gets_the_next_page_of_sessions_without_the_layout(campaign: Campaign, gm: Somebody) -> None:
    address = f"/gm/campaigns/{campaign.pk}/?before={SESSIONS_A_PAGE + 2}"
    answer = gm.client.get(address, headers={"HX-Request": "true"})
    page = answer.content.decode()
    assert titles(page) == list(range(SESSIONS_A_PAGE + 1, 1, -1))
    assert 'id="log-earlier"' in page
    assert "log-later" not in page
    assert "<html" not in page
    assert "HX-Request" in answer["Vary"]


@pytest.mark.parametrize("asked", [{"before": 0}, {"before": 10**18}, {"first": 0}, {"first": 10**18}])
def test_any_session_number_gives_a_full_or_an_empty_page(campaign: Campaign, asked: dict[str, int]) -> None:
    page = session_page(campaign, **asked)
    assert len(page.sessions) in (0, SESSIONS_A_PAGE)


def test_the_gms_desk_shows_the_three_newest_sessions_of_a_campaign(campaign: Campaign, gm: Somebody) -> None:
    Session.objects.exclude(title=f"night {MANY}").update(ended_at="2026-01-01T00:00Z")
    page = gm.client.get("/gm/").content.decode()
    assert sorted(set(titles(page))) == [MANY - 2, MANY - 1, MANY]
