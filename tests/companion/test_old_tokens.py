"""A form with an expired token: its text comes back, and can be sent again."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from sessions.models import Message, Seat, Session
from tests.conftest import Somebody

pytestmark = pytest.mark.django_db

OWN = {"Origin": "http://testserver"}
TEXT = "長い台詞。<b>" * 20


@pytest.fixture
def strict(ayumi: Somebody) -> Client:
    """Ayumi's browser, which has her cookies and an old page."""
    client = Client(enforce_csrf_checks=True)
    client.cookies = ayumi.client.cookies
    return client


def test_text_sent_with_an_expired_token_comes_back_and_is_sent_again(
    strict: Client, session: Session, seats: list[Seat]
) -> None:
    sent = {"tab": "main", "text": TEXT, "csrfmiddlewaretoken": "x" * 64}
    page = strict.post(f"/s/{session.pk}/chat/?tab=main", sent, headers=OWN)
    html = page.content.decode()
    assert page.status_code == 403
    assert "no-store" in page["Cache-Control"]
    assert "<b>" not in html
    assert "長い台詞。&lt;b&gt;" * 20 in re.search(r"<textarea[^>]*>(.*?)</textarea>", html, re.DOTALL)[1]  # type: ignore[index]
    again = html[html.index('<form method="post" action="/s/') :]
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', again)
    assert token
    assert strict.post(f"/s/{session.pk}/chat/", sent | {"csrfmiddlewaretoken": token[1]}, headers=OWN)
    assert Message.objects.get().text == TEXT


@pytest.mark.parametrize(
    ("headers", "sent"),
    [
        ({"Origin": "http://evil.example"}, {"text": TEXT}),
        ({"Origin": "null"}, {"text": TEXT}),
        ({}, {"text": TEXT}),
        (OWN, {"text": TEXT, "new_password": "p" * 30}),
    ],
)
def test_a_refused_form_shows_no_password_and_no_text_of_another_site(
    strict: Client, session: Session, headers: dict[str, str], sent: dict[str, str]
) -> None:
    html = strict.post(f"/s/{session.pk}/chat/", sent, headers=headers).content.decode()
    assert "長い台詞" not in html
    assert "p" * 30 not in html
    assert f'action="/s/{session.pk}/chat/' not in html
