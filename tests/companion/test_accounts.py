"""Accounts: the way in, the belongings of a device's guest, passwords, and the way out."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import django
import pytest
from django.contrib.auth.models import AnonymousUser
from django.core import mail
from django.db import connection
from django.test import Client
from django.urls import clear_url_caches, reverse

from characters.models import Character
from characters.services import drafts
from companion.identity import gm_link, people
from companion.models import Person, User
from sessions.evening import devices
from sessions.models import Seat, Session
from tests.conftest import Somebody
from tests.evening import mentions, sit

pytestmark = pytest.mark.django_db

SIGN_IN, SIGN_UP, ACCOUNT = "/account/sign-in/", "/account/sign-up/", "/account/"
GOOD = {"username": "haru", "password1": "momo-no-hana", "password2": "momo-no-hana"}
AYUMI = {"login": "ayumi", "password": "ayumi"}


def make(owner: Person, name: str = "") -> Character:
    return drafts.start_draft(owner=owner, method="standard", name=name)


def who(client: Client) -> Person | None:
    return client.get("/favicon.ico").wsgi_request.person


# The way in


def test_a_stranger_who_signs_up_becomes_a_person(client: Client) -> None:
    answer = client.post(SIGN_UP, GOOD)
    assert answer.url == ACCOUNT
    person = Person.objects.get(user__username="haru")
    assert (who(client), person.name) == (person, ""), "others see the account's name nowhere"


@pytest.mark.parametrize(
    "wrong",
    [
        {"username": ""},
        {"username": "あ い"},
        {"username": "x" * 151},
        {"username": "nul\x00"},
        {"username": "gm"},
        {"username": "GM"},
        {"username": "Ayumi"},
        {"password1": "short", "password2": "short"},
        {"password1": "password", "password2": "password"},
        {"password2": "momo-no-haha"},
    ],
)
def test_an_invalid_sign_up_makes_no_account(client: Client, ayumi: Somebody, wrong) -> None:
    answer = client.post(SIGN_UP, GOOD | wrong)
    assert answer.status_code == 422
    assert 'class="errorlist' in answer.content.decode()
    assert User.objects.count() == 1
    assert isinstance(client.get("/").wsgi_request.user, AnonymousUser)


def test_sign_up_asks_for_no_email_address_if_mail_is_off(client: Client) -> None:
    assert 'name="email"' not in client.get(SIGN_UP).content.decode()


def test_signing_in_leads_to_the_page_that_asked_for_it(client: Client, ayumi: Somebody) -> None:
    assert client.get("/gm/").url == f"{SIGN_IN}?next=/gm/"
    assert 'name="next" value="/gm/"' in client.get(f"{SIGN_IN}?next=/gm/").content.decode()
    assert client.post(SIGN_IN, AYUMI | {"next": "/gm/"}).url == "/gm/"


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example/", "javascript:alert(1)"])
def test_signing_in_never_leads_to_another_site(client: Client, ayumi: Somebody, elsewhere: str) -> None:
    assert client.post(SIGN_IN, AYUMI | {"next": elsewhere}).url == "/"


def test_the_case_of_the_account_name_does_not_matter(client: Client, ayumi: Somebody) -> None:
    assert client.post(SIGN_IN, {"login": "Ayumi", "password": "ayumi"}).status_code == 302


def test_a_wrong_password_says_what_to_check(client: Client, ayumi: Somebody) -> None:
    answer = client.post(SIGN_IN, {"login": "ayumi", "password": "wrong"})
    assert answer.status_code == 422
    assert "名前とパスワードが合いません" in answer.content.decode()


def test_after_too_many_wrong_passwords_a_right_one_is_refused(client: Client, ayumi: Somebody) -> None:
    tries = [client.post(SIGN_IN, {"login": "ayumi", "password": "wrong"}).status_code for _ in range(6)]
    assert tries == [422] * 5 + [429]
    assert client.post(SIGN_IN, AYUMI).status_code == 429


def sign_in(device: Client, password: str = "ayumi", address: str = "10.0.0.1") -> Any:
    return device.post(SIGN_IN, {"login": "ayumi", "password": password}, REMOTE_ADDR=address)


def guesses(address: str, tries: int = 5) -> list[int]:
    """Guess passwords of an account without a cookie; return the answers."""
    return [sign_in(Client(), f"guess {number}", address).status_code for number in range(tries)]


def known() -> Client:
    """Return a device that the account let in, and that signed out."""
    device = Client()
    assert sign_in(device, address="10.0.9.9").status_code == 302
    device.post("/account/sign-out/")
    return device


def test_wrong_passwords_elsewhere_do_not_lock_the_owner_out(ayumi: Somebody) -> None:
    assert guesses("10.0.0.2", 6) == [422] * 5 + [429]
    assert sign_in(Client()).status_code == 302


def test_guesses_from_many_addresses_get_few_tries_and_lock_no_owner_out(ayumi: Somebody) -> None:
    for number in range(25):
        guesses(f"10.1.0.{number}", 2)
    assert guesses("10.1.1.1", 4) == [422, 422, 429, 429], "two in an hour while many guess"
    assert sign_in(Client()).status_code == 302
    assert sign_in(Client(), "mistyped").status_code == 422
    assert sign_in(Client()).status_code == 302


def test_an_address_has_twenty_wrong_passwords_an_hour_for_all_accounts(ayumi: Somebody) -> None:
    wrong = [{"login": f"nobody{number}", "password": "x"} for number in range(21)]
    answers = [Client().post(SIGN_IN, guess, REMOTE_ADDR="10.0.0.2").status_code for guess in wrong]
    assert answers == [422] * 20 + [429]
    assert sign_in(Client(), address="10.0.0.2").status_code == 429


def test_right_passwords_use_up_no_tries(ayumi: Somebody) -> None:
    assert {sign_in(Client()).status_code for _ in range(22)} == {302}
    assert guesses("10.0.0.1") == [422] * 5


def test_a_known_device_signs_in_although_its_address_is_throttled(ayumi: Somebody) -> None:
    device = known()
    guesses("10.0.0.1")
    assert sign_in(Client()).status_code == 429
    assert sign_in(device).status_code == 302


def test_a_known_device_has_its_own_limit_of_wrong_passwords(ayumi: Somebody) -> None:
    device, other = known(), known()
    answers = [sign_in(device, f"guess {number}", f"10.0.1.{number}").status_code for number in range(6)]
    assert answers == [422] * 5 + [429], "from wherever it is"
    assert sign_in(device).status_code == 429
    assert sign_in(other).status_code == 302


def test_a_device_is_known_until_the_password_changes_on_another(ayumi: Somebody) -> None:
    device, changing = known(), known()
    sign_in(changing)
    new = {"oldpassword": "ayumi", "password1": "momo-no-hana", "password2": "momo-no-hana"}
    assert changing.post(reverse("account_change_password"), new).url == ACCOUNT
    changing.post("/account/sign-out/")
    guesses("10.0.0.1")
    assert sign_in(device, "momo-no-hana").status_code == 429
    assert sign_in(changing, "momo-no-hana").status_code == 302


def test_a_device_is_known_to_no_other_account(ayumi: Somebody) -> None:
    device = Client()
    device.post(SIGN_UP, GOOD)
    own = device.cookies[f"known-{User.objects.get(username='haru').pk}"].value
    device.post("/account/sign-out/")
    device.cookies[f"known-{ayumi.person.user_id}"] = own
    guesses("10.0.0.1")
    assert sign_in(device).status_code == 429


def test_a_throttled_sign_in_says_when_to_retry(ayumi: Somebody) -> None:
    guesses("10.0.0.1")
    refused = sign_in(Client())
    assert 0 < int(refused["Retry-After"]) <= 300
    assert re.search("あと[1-5]分ほどで、また試せます", refused.content.decode())


def test_wrong_passwords_before_deleting_an_account_are_limited(ayumi: Somebody) -> None:
    asked = ayumi.client.get(reverse("companion:account-delete")).url
    answers = [ayumi.client.post(asked, {"password": f"guess {number}"}) for number in range(6)]
    assert [answer.status_code for answer in answers] == [422] * 5 + [429]
    assert "Retry-After" in answers[-1]


def test_a_closed_account_cannot_sign_in_and_learns_why(client: Client, ayumi: Somebody) -> None:
    User.objects.update(is_active=False)
    answer = client.post(SIGN_IN, AYUMI, follow=True)
    assert answer.redirect_chain[-1][0] == SIGN_IN
    assert "閉じられています" in answer.content.decode()


def test_unused_pages_of_allauth_have_no_address(ayumi: Somebody) -> None:
    for path in (
        "login/",
        "signup/",
        "logout/",
        "email/",
        "inactive/",
        "password/change/",
        "2fa/",
        "mfa/",
        "3rdparty/",
    ):
        assert ayumi.client.get(f"/account/{path}").status_code == 404, path
        assert ayumi.client.get(f"/accounts/{path}").status_code == 404, path


def test_account_pages_lead_strangers_to_the_sign_in(client: Client) -> None:
    for name in ("companion:account", "companion:account-delete", "account_change_password"):
        assert client.get(reverse(name)).url.startswith(SIGN_IN), name
    for name in ("companion:account-name", "companion:account-device"):
        assert client.post(reverse(name)).url.startswith(SIGN_IN), name


# A guest gets an account


def test_signing_up_keeps_the_guests_characters_and_seats(bo: Somebody, session: Session) -> None:
    mine, seat = make(bo.person, "ロク"), sit(session, bo.person)
    assert "ロク" in bo.client.get(SIGN_UP).content.decode()
    bo.client.post(SIGN_UP, GOOD)
    person = Person.objects.get(user__username="haru")
    assert person.pk == bo.person.pk
    assert (person.name, mine.owner_id, seat.person_id) == ("ボー", person.pk, person.pk)
    assert "ロク" in bo.client.get("/characters/").content.decode()


def test_after_signing_out_the_device_has_no_person(bo: Somebody) -> None:
    """The cookie was the guest's key, and now the account is the only one."""
    cookie = bo.cookies[people.COOKIE]
    mine = make(bo.person, "ロク")
    bo.client.post(SIGN_UP, GOOD)
    bo.client.post("/account/sign-out/")
    assert who(bo.client) is None
    assert people.person_by_token(cookie) is None
    assert bo.client.get(mine.get_absolute_url()).status_code == 404


@pytest.mark.django_db(transaction=True)
def test_simultaneous_sign_ups_with_one_name_make_one_account() -> None:
    def sign_up(_: int) -> int:
        try:
            return Client().post(SIGN_UP, GOOD).status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(sign_up, range(4))) == [302, 422, 422, 422]
    assert Person.objects.filter(user__username="haru").count() == 1


# An account signs in on a guest's device


@pytest.fixture
def shared(bo: Somebody, ayumi: Somebody) -> Client:
    """Bo's phone, where Ayumi has signed in."""
    make(bo.person, "ロク")
    bo.client.post(SIGN_IN, AYUMI)
    return bo.client


def test_a_device_offers_its_guests_belongings_to_the_account(shared: Client) -> None:
    home = shared.get("/").content.decode()
    assert "前からのものが1件" in home
    assert 'href="/account/#device"' in home
    assert "ロク" in shared.get(ACCOUNT).content.decode()


def test_an_account_takes_over_all_belongings_of_the_devices_guest(
    shared: Client, ayumi: Somebody, bo: Somebody
) -> None:
    shared.post("/account/device/")
    assert Character.objects.get().owner == ayumi.person
    assert "ロク" in ayumi.client.get("/characters/").content.decode()
    assert 'id="device"' not in shared.get(ACCOUNT).content.decode()
    shared.post("/account/sign-out/")
    assert who(shared) == bo.person
    assert "ロク" not in shared.get("/characters/").content.decode()


def test_belongings_not_taken_over_stay_with_the_devices_guest(shared: Client, bo: Somebody) -> None:
    shared.post("/account/sign-out/")
    assert who(shared) == bo.person
    assert "ロク" in shared.get("/characters/").content.decode()


def test_an_account_takes_over_belongings_only_with_the_guests_cookie(
    ayumi: Somebody, bo: Somebody, kei: Somebody
) -> None:
    make(bo.person, "ロク")
    for named in (
        {"person": bo.person.pk},
        {"guest": bo.person.key.hex},
        {people.COOKIE: people.token(bo.person)},
    ):
        ayumi.client.post("/account/device/", named)
    ayumi.client.cookies[people.COOKIE] = bo.person.key.hex
    ayumi.client.post("/account/device/")
    ayumi.client.cookies[people.COOKIE] = people.token(kei.person)
    ayumi.client.post("/account/device/")
    assert Character.objects.get().owner == bo.person


def test_a_guest_cookie_from_before_an_account_gives_nothing_away(gm: Somebody, ayumi: Somebody) -> None:
    """A cookie from before an account was made cannot take the account's things."""
    make(ayumi.person, "朔")
    gm.client.cookies[people.COOKIE] = people.token(ayumi.person)
    gm.client.post("/account/device/")
    assert Character.objects.get().owner == ayumi.person


def test_an_account_takes_over_the_guests_seats(
    shared: Client, bo: Somebody, ayumi: Somebody, session: Session
) -> None:
    seat = sit(session, bo.person)
    shared.post("/account/device/")
    seat.refresh_from_db()
    assert seat.person == ayumi.person
    assert shared.get(session.get_absolute_url()).status_code == 200


def test_a_guests_seat_stays_where_the_account_has_one_too(
    shared: Client, bo: Somebody, ayumi: Somebody, session: Session
) -> None:
    here, there = sit(session, bo.person), sit(session, ayumi.person)
    assert "あなたのアカウントの席がもうあります" in shared.get(ACCOUNT).content.decode()
    shared.post("/account/device/")
    here.refresh_from_db()
    there.refresh_from_db()
    assert (here.person, there.person) == (bo.person, ayumi.person)
    assert Character.objects.get().owner == ayumi.person, "the rest came along"
    assert 'id="device"' not in shared.get(ACCOUNT).content.decode(), "what can only stay is not offered"


def test_a_failed_take_over_of_belongings_changes_nothing(
    shared: Client, bo: Somebody, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    sit(session, bo.person)
    monkeypatch.setattr(devices, "broadcast", lambda pk: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        shared.post("/account/device/")
    assert Character.objects.get().owner == bo.person
    assert Seat.objects.get(role="player").person == bo.person


# The account


def test_a_person_changes_the_name_that_others_see(ayumi: Somebody) -> None:
    assert ayumi.client.post("/account/name/", {"name": "あゆ"}).url == ACCOUNT
    assert Person.objects.get(pk=ayumi.person.pk).name == "あゆ"
    for bad in ("x" * 41, "nul\x00"):
        assert ayumi.client.post("/account/name/", {"name": bad}).status_code == 422
    assert Person.objects.get(pk=ayumi.person.pk).name == "あゆ"


def test_a_new_password_signs_out_the_other_devices(ayumi: Somebody) -> None:
    other = Client()
    other.post(SIGN_IN, AYUMI)
    new = {"password1": "momo-no-hana", "password2": "momo-no-hana"}
    assert ayumi.client.post("/account/password/", new | {"oldpassword": "no"}).status_code == 422
    assert ayumi.client.post("/account/password/", new | {"oldpassword": "ayumi"}).url == ACCOUNT
    assert who(ayumi.client) == ayumi.person
    assert who(other) is None


def test_a_gm_signed_in_by_link_can_choose_a_password(client: Client) -> None:
    client.post(f"/gm/enter/{gm_link.issue()}/")
    assert client.get("/account/password/").url == "/account/password/first/"
    client.post("/account/password/first/", {"password1": "momo-no-hana", "password2": "momo-no-hana"})
    assert Client().post(SIGN_IN, {"login": "gm", "password": "momo-no-hana"}).url == "/"


def test_the_gm_link_offers_the_belongings_of_the_devices_guest(bo: Somebody) -> None:
    make(bo.person, "ロク")
    bo.client.post(f"/gm/enter/{gm_link.issue()}/")
    assert "ロク" in bo.client.get(ACCOUNT).content.decode()


def test_deleting_an_account_asks_for_the_password(ayumi: Somebody, session: Session) -> None:
    make(ayumi.person, "朔")
    seat = sit(session, ayumi.person)
    asked = ayumi.client.post("/account/delete/")
    assert asked.url.startswith("/account/confirm/")
    assert User.objects.filter(username="ayumi").exists()
    ayumi.client.post(asked.url, {"password": "ayumi"})
    ayumi.client.post("/account/delete/")
    assert not User.objects.filter(username="ayumi").exists()
    assert not Character.objects.exists()
    seat.refresh_from_db()
    assert (seat.name, bool(seat.removed_at)) == ("退出したプレイヤー", True)
    assert who(ayumi.client) is None
    assert people.person_by_token(people.token(ayumi.person)) is None, "no old cookie leads back"


def test_the_hosts_account_cannot_be_deleted_on_its_page(client: Client) -> None:
    client.post(f"/gm/enter/{gm_link.issue()}/")
    assert "サーバー" in client.get("/account/delete/").content.decode()
    client.post("/account/delete/")
    assert User.objects.filter(username="gm").exists()


# A forgotten password


def test_the_forgotten_password_page_without_mail_names_the_host_command(client: Client) -> None:
    page = client.get("/account/password/forgotten/").content.decode()
    assert "changepassword" in page
    assert 'name="email"' not in page
    assert client.post("/account/password/forgotten/", {"email": "a@example.org"}).status_code == 200
    assert mail.outbox == []


@pytest.fixture
def mailing(settings, monkeypatch: pytest.MonkeyPatch):
    """A server whose letters go out."""
    import importlib

    from companion import urls
    from companion.accounts import urls as account_urls

    settings.EMAIL_URL = "smtp://mail.example.org"
    settings.PUBLIC_URL = "https://takujo.example"
    if django.VERSION >= (6, 1):
        settings.MAILERS = {"default": {"BACKEND": "django.core.mail.backends.locmem.EmailBackend"}}
    settings.ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]

    def reload() -> None:
        importlib.reload(account_urls)
        importlib.reload(urls)
        clear_url_caches()

    reload()
    yield
    settings.EMAIL_URL = ""
    reload()


@pytest.mark.usefixtures("mailing")
def test_an_email_link_sets_a_new_password_once(client: Client) -> None:
    client.post(SIGN_UP, GOOD | {"email": "haru@example.org"})
    client.post("/account/sign-out/")
    for address in ("haru@example.org", "nobody@example.org"):
        assert (
            client.post("/account/password/forgotten/", {"email": address}).url == "/account/password/sent/"
        )
    [letter] = mail.outbox
    assert letter.to == ["haru@example.org"]
    assert "haru" in letter.body
    link = next(word for word in letter.body.split() if "/account/password/new/" in word)
    form = client.get(link.removeprefix("https://takujo.example")).url
    assert client.get(form).status_code == 200
    client.post(form, {"password1": "sumire-no-hana", "password2": "sumire-no-hana"})
    assert Client().post(SIGN_IN, {"login": "haru", "password": "sumire-no-hana"}).url == "/"
    assert (
        "このリンクは使えません" in Client().get(link.removeprefix("https://takujo.example")).content.decode()
    )


@pytest.mark.usefixtures("mailing")
def test_a_password_email_links_to_the_public_url_for_any_host(client: Client) -> None:
    client.post(SIGN_UP, GOOD | {"email": "haru@example.org"})
    asked = {"email": "haru@example.org"}
    Client().post("/account/password/forgotten/", asked, HTTP_HOST="evil.example")
    [letter] = mail.outbox
    assert "https://takujo.example/account/password/new/" in letter.body
    assert not mentions(letter.body, "evil")


def test_no_password_email_is_sent_without_a_public_url(mailing, settings, client: Client) -> None:
    client.post(SIGN_UP, GOOD | {"email": "haru@example.org"})
    settings.PUBLIC_URL = ""
    answer = Client().post("/account/password/forgotten/", {"email": "haru@example.org"})
    assert "changepassword" in answer.content.decode()
    assert mail.outbox == []


@pytest.mark.usefixtures("mailing")
def test_after_a_change_only_the_new_address_gets_emails(client: Client) -> None:
    client.post(SIGN_UP, GOOD | {"email": "haru@example.org"})
    client.post("/account/confirm/", {"password": GOOD["password1"]})
    page = "/account/address/"
    assert client.post(page, {"email": "not an address"}).status_code == 422
    assert client.post(page, {"email": "new@example.org"}).url == ACCOUNT
    for address in ("haru@example.org", "new@example.org"):
        Client().post("/account/password/forgotten/", {"email": address})
    assert [letter.to for letter in mail.outbox] == [["new@example.org"]]
    assert "new@example.org" in client.get(ACCOUNT).content.decode()
    client.post(page, {"email": ""})
    Client().post("/account/password/forgotten/", {"email": "new@example.org"})
    assert len(mail.outbox) == 1


def test_changing_the_email_address_asks_for_the_password(ayumi: Somebody) -> None:
    assert Client().post("/account/address/", {"email": "a@example.org"}).url.startswith(SIGN_IN)
    asked = ayumi.client.post("/account/address/", {"email": "a@example.org"})
    assert asked.url.startswith("/account/confirm/"), "signed in a while ago"
    assert User.objects.get(username="ayumi").email == ""


@pytest.mark.usefixtures("mailing")
def test_sign_up_with_a_used_address_does_not_reveal_an_account(client: Client) -> None:
    Client().post(SIGN_UP, GOOD | {"email": "family@example.org"})
    assert client.post(SIGN_UP, GOOD | {"username": "natsu", "email": "family@example.org"}).url == ACCOUNT


# Passkeys (with a real authenticator: tests/browser/test_passkeys.py)

KEYS = {"clientDataJSON": "e30", "attestationObject": "oA", "authenticatorData": "AA", "signature": "AA"}
BAD_ANSWERS = [
    *("", "null", "5", "[]", '"x"', "{}", '{"response": 5}', '{"response": {}}'),
    '{"response": {"userHandle": null}}',
    json.dumps({"response": {"userHandle": "9" * 9_000}}),
    json.dumps({"id": "a", "rawId": "a", "type": "public-key", "response": KEYS | {"userHandle": "_w"}}),
    "[" * 100_000,
    '{"response":' * 5_000,
    "x" * 200_000,
]


@pytest.mark.parametrize("answer", BAD_ANSWERS)
def test_invalid_passkey_answers_are_refused(client: Client, ayumi: Somebody, answer: str) -> None:
    there = {"HTTP_HOST": "localhost"}
    client.get("/account/passkeys/sign-in/", headers={"accept": "application/json"}, **there)
    sent = client.post("/account/passkeys/sign-in/", {"credential": answer}, **there)
    assert sent.url == SIGN_IN
    assert who(client) is None
    asked = ayumi.client.get("/account/passkeys/add/", **there)
    ayumi.client.post(asked.url, {"password": "ayumi"}, **there)
    assert ayumi.client.get("/account/passkeys/add/", **there).status_code == 200
    assert ayumi.client.post("/account/passkeys/add/", {"credential": answer}, **there).status_code == 422


@pytest.mark.parametrize("host", ["192.168.1.5:8000", "[::1]:8000", "127.0.0.1", "takujo.local"])
def test_passkeys_are_not_offered_where_browsers_refuse_them(ayumi: Somebody, host: str) -> None:
    assert "passkey" not in Client().get(SIGN_IN, HTTP_HOST=host).content.decode().replace("passkeys.js", "")
    assert Client().get("/account/passkeys/sign-in/", HTTP_HOST=host).status_code == 404
    assert "https" in ayumi.client.get(ACCOUNT, HTTP_HOST=host).content.decode()


def test_passkeys_are_offered_over_https_and_on_this_machine() -> None:
    assert "data-passkey=" in Client().get(SIGN_IN, HTTP_HOST="localhost:8000").content.decode()
    assert "data-passkey=" in Client().get(SIGN_IN, HTTP_HOST="takujo.example", secure=True).content.decode()


def test_a_person_cannot_rename_or_remove_anothers_passkey(gm: Somebody, ayumi: Somebody) -> None:
    from allauth.mfa.models import Authenticator

    hers = Authenticator.objects.create(user=ayumi.person.user, type="webauthn", data={"name": "her phone"})
    asked = gm.client.get(f"/account/passkeys/{hers.pk}/")
    gm.client.post(asked.url, {"password": "gm"})
    for path in (f"/account/passkeys/{hers.pk}/", f"/account/passkeys/{hers.pk}/remove/"):
        assert gm.client.get(path).status_code == 404
        assert gm.client.post(path, {"name": "mine"}).status_code == 404
    assert Authenticator.objects.get().data["name"] == "her phone"
