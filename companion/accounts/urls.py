"""URLs of accounts: our own pages, and only those of allauth that are offered.

allauth reverses its own URL names, which begin with ``account_`` and ``mfa_`` and have no namespace. Our own
pages are in the namespace ``companion:``.
"""

from allauth.account.views import PasswordResetDoneView
from django.conf import settings
from django.contrib.auth.views import LogoutView
from django.urls import URLPattern, path, re_path

from companion.accounts import devices, turn_mail, views
from companion.identity import shared_device

# /account/
companion: list[URLPattern] = [
    path("", views.account, name="account"),
    path("name/", views.rename, name="account-name"),
    path("address/", views.change_address, name="account-address"),
    path("device/", views.take_belongings, name="account-device"),
    path("data/", views.data_page, name="account-data"),
    path("data/file/", views.data_file, name="account-data-file"),
    path("delete/", views.delete, name="account-delete"),
    path("sign-out/", LogoutView.as_view(), name="sign-out"),
]

if settings.EMAIL_URL:
    companion += [
        path("turns/", turn_mail.request_turn_mail, name="turn-mail"),
        path("turns/on/<str:token>/", turn_mail.confirm, name="turn-mail-on"),
        path("turns/off/<str:token>/", turn_mail.unsubscribe, name="turn-mail-off"),
    ]

# /device/
device: list[URLPattern] = [
    path("", devices.leave, name="device"),
    path("state/", devices.state, name="device-state"),
    path("answer/", devices.answer, name="device-answer"),
    path("recovery/", devices.recovery, name="device-recovery"),
    path("back/", devices.take_back, name="device-back"),
    path("code/", devices.code, name="device-code"),
    path("curtain/", shared_device.curtain, name="curtain"),
    path("stand/", shared_device.leave_device, name="stand"),
    path("<str:token>/", devices.take, name="device-take"),
    path("<str:token>/state/", devices.take_state, name="device-take-state"),
]

# /account/
library: list[URLPattern] = [
    path("sign-in/", views.SignIn.as_view(), name="account_login"),
    path("sign-up/", views.SignUp.as_view(), name="account_signup"),
    path("confirm/", views.Reauthenticate.as_view(), name="account_reauthenticate"),
    path("password/", views.PasswordChange.as_view(), name="account_change_password"),
    path("password/first/", views.PasswordSet.as_view(), name="account_set_password"),
    path("password/forgotten/", views.PasswordReset.as_view(), name="account_reset_password"),
    path("passkeys/sign-in/", views.PasskeySignIn.as_view(), name="mfa_login_webauthn"),
    path("passkeys/confirm/", views.PasskeyConfirm.as_view(), name="mfa_reauthenticate_webauthn"),
    path("passkeys/add/", views.AddPasskey.as_view(), name="mfa_add_webauthn"),
    path("passkeys/<int:pk>/", views.RenamePasskey.as_view(), name="mfa_edit_webauthn"),
    path("passkeys/<int:pk>/remove/", views.RemovePasskey.as_view(), name="mfa_remove_webauthn"),
]

if settings.EMAIL_URL:
    library += [
        path("password/sent/", PasswordResetDoneView.as_view(), name="account_reset_password_done"),
        re_path(
            r"^password/new/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
            views.NewPassword.as_view(),
            name="account_reset_password_from_key",
        ),
    ]
