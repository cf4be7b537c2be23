"""Notifications by Web Push: sealed for one device, and sent nowhere but to push services."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from companion.identity import personal_data
from companion.models import Person, PushSubscription
from companion.push import encryption, endpoints, notifications
from companion.push.notifications import Notification
from tests.conftest import Somebody
from tests.push_service import PushService, push_service, verified

LETTER = Notification("将棋", "第一夜：あなたの番です。", "/t/7/")


@pytest.fixture
def service(settings: Any) -> Iterator[PushService]:
    settings.PUSH_TO_TEST_SERVERS = True
    with push_service() as service:
        yield service


def send(person: Person) -> bool:
    return notifications.send(person, lambda: LETTER, seconds=3600)


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example.com/a",
        "https://push.example.com:8443/a",
        "https://push.example.com:99999/a",
        "https://name:word@push.example.com/a",
        "https://push.example.com/a#b",
        "https://push.example.com/a b",
        "https://push.example.com/a\nHost: x",
        "https://localhost/a",
        "https://worker-1/a",
        "https://127.0.0.1/a",
        "https://10.0.0.8/a",
        "https://192.168.1.1/a",
        "https://169.254.169.254/latest/meta-data/",
        "https://[::1]/a",
        "https://[::ffff:10.0.0.8]/a",
        "https://[64:ff9b::a00:8]/a",
        "https://[2002:a00:8::]/a",
        "https://[fd00::1]/a",
        "https:///a",
        "https://push.example.com/" + "a" * 1024,
        "",
        "ftp://push.example.com/a",
    ],
)
def test_an_endpoint_that_is_no_push_service_is_refused(endpoint: str) -> None:
    with pytest.raises(endpoints.NotAllowed):
        endpoints.check_endpoint(endpoint)


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://fcm.googleapis.com/fcm/send/abc:def",
        "https://updates.push.services.mozilla.com/wpush/v2/gAAA",
        "https://web.push.apple.com/QGuQ",
        "https://push.example.com:443/a?b=c",
    ],
)
def test_push_services_are_allowed(endpoint: str) -> None:
    assert endpoints.check_endpoint(endpoint).hostname


def test_a_push_endpoint_in_the_hosts_own_network_is_not_contacted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of several addresses one is enough, and it is looked at when something is sent, not when it came in."""

    def leads_to(*addresses: str) -> Any:
        return lambda *_args, **_kwargs: [
            (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 443)) for address in addresses
        ]

    asked: list[Any] = []
    monkeypatch.setattr(socket, "create_connection", lambda *args: asked.append(args))
    for addresses in (["10.0.0.8"], ["8.8.8.8", "127.0.0.1"]):
        monkeypatch.setattr(socket, "getaddrinfo", leads_to(*addresses))
        with pytest.raises(endpoints.NotAllowed):
            endpoints.post("https://push.example.com/a", b"", {})
    assert asked == []


def test_our_push_encryption_matches_the_example_of_rfc_8291(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """RFC 8291, appendix A: our derivation and its, by the same keys and salt."""
    own = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
    private = encryption.ec.derive_private_key(
        int.from_bytes(encryption.decode_base64url(own), "big"), encryption.ec.SECP256R1()
    )
    monkeypatch.setattr(encryption.ec, "generate_private_key", lambda _curve: private)
    monkeypatch.setattr(
        encryption.secrets,
        "token_bytes",
        lambda _count: encryption.decode_base64url("DGv6ra1nlYgDCS1FRnbzlw"),
    )
    monkeypatch.setattr(encryption, "LENGTH", len("When I grow up, I want to be a watermelon") + 1)
    sealed = encryption.encrypt_message(
        b"When I grow up, I want to be a watermelon",
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "BTBZMqHH6r4Tts7J_aSIgg",
    )
    assert encryption.encode_base64url(sealed) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A"
        "_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def test_a_notification_can_be_decrypted_by_its_device_only(
    bo: Somebody, service: PushService, settings: Any
) -> None:
    settings.PUBLIC_URL = "https://takujo.example"
    assert bo.client.post("/push/", service.device()).status_code == 204
    assert send(bo.person)
    [heard] = service.heard
    assert heard.headers["TTL"] == "3600"
    said = verified(heard)
    assert said["aud"] == f"http://127.0.0.1:{service.port}"
    assert said["sub"] == "https://takujo.example"
    assert time.time() < said["exp"] < time.time() + 24 * 3600
    assert f'data-key="{said["k"]}"' in _form(bo.client)
    [letter] = service.letters()
    assert letter.pop("icon").endswith(".png")
    assert letter == {"title": "将棋", "body": "第一夜：あなたの番です。", "url": "/t/7/", "lang": "ja"}


def _form(client: Client) -> str:
    from django.template import engines

    return engines["django"].from_string('{% include "sessions/_turn_calls.html" %}').render()


def test_all_notifications_have_the_same_length(bo: Somebody, service: PushService) -> None:
    bo.client.post("/push/", service.device())
    for title in ("a", "将棋" * 60):
        notifications.send(bo.person, lambda title=title: LETTER._replace(title=title), seconds=1)  # type: ignore[misc]
    one, two = service.heard
    assert len(one.body) == len(two.body)


@pytest.mark.parametrize("status", [404, 410])
def test_a_push_subscription_that_is_gone_is_deleted(bo: Somebody, service: PushService, status: int) -> None:
    bo.client.post("/push/", service.device())
    service.status = status
    assert send(bo.person)
    assert not PushSubscription.objects.exists()


def test_only_temporary_push_failures_are_retried(bo: Somebody, service: PushService) -> None:
    bo.client.post("/push/", service.device())
    for status, done in [(503, False), (429, False), (403, True), (302, True)]:
        service.status = status
        assert send(bo.person) is done
    assert [each.path for each in service.heard] == ["/a"] * 4, "a redirect leads nowhere"
    assert PushSubscription.objects.count() == 1


def test_a_push_service_that_does_not_answer_is_retried(bo: Somebody, settings: Any) -> None:
    settings.PUSH_TO_TEST_SERVERS = True
    with push_service() as service:
        bo.client.post("/push/", service.device())
    assert not send(bo.person)
    assert PushSubscription.objects.count() == 1


def test_invalid_data_and_strangers_subscribe_no_device(
    bo: Somebody, service: PushService, client: Client
) -> None:
    device = service.device()
    assert client.post("/push/", device).status_code == 403
    for wrong in [{"endpoint": "x://"}, {"p256dh": "AAAA"}, {"auth": "AAAA"}, {"auth": "ä"}, {"p256dh": ""}]:
        assert bo.client.post("/push/", {**device, **wrong}).status_code == 422
    assert bo.client.get("/push/").status_code == 405
    assert not PushSubscription.objects.exists()


def test_a_push_subscription_has_one_owner_and_is_handed_over(
    bo: Somebody, kei: Somebody, ayumi: Somebody, service: PushService
) -> None:
    for who in (bo, kei):
        who.client.post("/push/", service.device())
    assert PushSubscription.objects.get().person == kei.person
    bo.client.post("/push/off/", service.device())
    assert PushSubscription.objects.exists(), "not Bo's any more"
    personal_data.hand_over(kei.person, ayumi.person)
    assert "通知" in [thing.title for thing in personal_data.list_belongings(ayumi.person)]
    assert personal_data.export_documents(ayumi.person)["notifications.json"][0]["service"] == "127.0.0.1"
    ayumi.client.post("/push/off/", service.device())
    assert not PushSubscription.objects.exists()


def test_erasing_a_guest_deletes_push_subscriptions(bo: Somebody, service: PushService) -> None:
    bo.client.post("/push/", service.device())
    bo.client.post("/account/delete/", {"sure": "on"})
    assert not PushSubscription.objects.exists()


def test_a_person_has_at_most_twenty_push_subscriptions(bo: Somebody, service: PushService) -> None:
    for number in range(20):
        assert bo.client.post("/push/", service.device(str(number))).status_code == 204
    assert bo.client.post("/push/", service.device("0")).status_code == 204, "one of them again"
    assert bo.client.post("/push/", service.device("more")).status_code == 422
