"""Every address, by app."""

from django.contrib import admin
from django.contrib.auth import views as auth
from django.urls import include, path

from companion import views

companion = (
    [
        path("", views.home, name="home"),
        path("health/", views.health, name="health"),
        path(
            "account/sign-in/", auth.LoginView.as_view(template_name="account/sign_in.html"), name="sign-in"
        ),
        path("account/sign-out/", auth.LogoutView.as_view(), name="sign-out"),
    ],
    "companion",
)

urlpatterns = [
    path("", include(companion)),
    path("", include("sessions.urls")),
    path("characters/", include("characters.urls")),
    path("language/", include("django.conf.urls.i18n")),
    path("admin/", admin.site.urls),
]
