"""Emails about one's turn: only to a confirmed address, and until a reader ends them."""

from __future__ import annotations

import smtplib
from typing import Any

import pytest
from django.core import mail
from django.core.mail import EmailMessage
from django.test import Client

from companion.accounts import turn_mail
from companion.models import User
from companion.push.notifications import Notification
from tests.companion.test_accounts import mailing
from tests.conftest import Somebody

__all__ = ["mailing"]

pytestmark = pytest.mark.usefixtures("mailing")

LETTER = Notification("Tally", "第一夜：あなたの番です。", "/t/7/")
HERE = "https://takujo.example"


@pytest.fixture
def addressed(ayumi: Somebody) -> Somebody:
    User.objects.filter(username="ayumi").update(email="ayumi@example.org")
    ayumi.person.refresh_from_db()
    return ayumi


def link_in(body: str) -> str:
    [link] = [word for word in body.split() if word.startswith(f"{HERE}/account/")]
    return link.removeprefix(HERE)


def send(who: Somebody) -> bool:
    who.person.refresh_from_db()
    return turn_mail.send(who.person, lambda: LETTER)


def begin(who: Somebody) -> None:
    """Ask for emails, and confirm the address from the first one, signed in or not."""
    who.client.post("/account/turns/", {"on": "1"})
    Client().post(link_in(mail.outbox.pop().body))


def test_an_unconfirmed_address_gets_one_question_and_no_turn_emails(addressed: Somebody) -> None:
    addressed.client.post("/account/turns/", {"on": "1"})
    [question] = mail.outbox
    assert question.to == ["ayumi@example.org"]
    assert "ayumi" in question.body
    assert Client().get(link_in(question.body)).status_code == 200
    assert send(addressed)
    assert len(mail.outbox) == 1, "a preview opens the page, too"


def test_a_turn_email_names_the_turn_and_has_an_unsubscribe_link(addressed: Somebody) -> None:
    begin(addressed)
    assert send(addressed)
    [letter] = mail.outbox
    assert letter.to == ["ayumi@example.org"]
    assert letter.subject == "Tally – 第一夜：あなたの番です。"
    assert f"{HERE}/t/7/" in letter.body
    ends = link_in(letter.body)
    assert letter.extra_headers["List-Unsubscribe"] == f"<{HERE}{ends}>"
    assert Client().get(ends).status_code == 200
    assert send(addressed)
    assert len(mail.outbox) == 2, "a preview ends nothing"
    by_itself = Client(enforce_csrf_checks=True)
    assert by_itself.post(ends, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert send(addressed)
    assert len(mail.outbox) == 2


@pytest.mark.parametrize("mark", ["\r\n", "\n", "\r", "\x0b", "\x85", "\u2028", "\0", "\ud800"])
def test_a_control_character_in_a_title_stops_no_turn_email(addressed: Somebody, mark: str) -> None:
    begin(addressed)
    addressed.person.refresh_from_db()
    odd = Notification("Tally", f"第一夜{mark}Bcc: all@example.org", "/t/7/")
    written = mark != "\ud800"
    assert turn_mail.send(addressed.person, lambda: odd) is written, "a body cannot hold half a sign"
    assert send(addressed), "and the next one goes out"
    subjects = [letter.subject for letter in mail.outbox]
    assert subjects == ["Tally – 第一夜 Bcc: all@example.org"] * written + [f"Tally – {LETTER.body}"]
    assert all(letter.to == ["ayumi@example.org"] for letter in mail.outbox)


def test_a_changed_address_has_to_be_confirmed_again(addressed: Somebody) -> None:
    addressed.client.post("/account/turns/", {"on": "1"})
    old = link_in(mail.outbox.pop().body)
    begin(addressed)
    User.objects.filter(username="ayumi").update(email="other@example.org")
    assert send(addressed)
    assert Client().post(old).status_code == 410
    assert Client().post(f"{old[:-2]}/").status_code == 410
    assert mail.outbox == []


def test_an_account_turns_its_turn_emails_off(addressed: Somebody) -> None:
    begin(addressed)
    assert "お知らせメールをやめる" in addressed.client.get("/account/").content.decode()
    addressed.client.post("/account/turns/", {"on": "0"})
    assert send(addressed)
    assert mail.outbox == []
    assert "番が来たらメールで知らせる" in addressed.client.get("/account/").content.decode()


def test_guests_and_accounts_without_an_address_get_no_turn_emails(
    bo: Somebody, ayumi: Somebody, settings: Any
) -> None:
    assert bo.client.post("/account/turns/", {"on": "1"}).status_code == 404
    ayumi.client.post("/account/turns/", {"on": "1"})
    assert send(bo)
    assert send(ayumi)
    assert mail.outbox == []
    assert "お知らせメール" not in ayumi.client.get("/account/").content.decode()


def test_questions_to_an_unconfirmed_address_are_limited(addressed: Somebody) -> None:
    answers = [addressed.client.post("/account/turns/", {"on": "1"}).status_code for _ in range(5)]
    assert answers == [302] * 3 + [429] * 2
    assert len(mail.outbox) == 3


def test_a_turn_email_is_retried_when_the_mail_server_is_away(
    addressed: Somebody, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(addressed)

    def away(_letter: EmailMessage) -> int:
        raise smtplib.SMTPServerDisconnected("ayumi@example.org")

    monkeypatch.setattr(EmailMessage, "send", away)
    assert not send(addressed)
