"""Every address, by app."""

from django.contrib import admin
from django.contrib.auth.views import LogoutView
from django.urls import include, path

from companion import views

companion = (
    [
        path("", views.home, name="home"),
        path("health/", views.health, name="health"),
        path("favicon.ico", views.no_icon),
        path("gm/enter/<str:token>/", views.gm_enter, name="gm-enter"),
        path("account/sign-in/", views.SignIn.as_view(), name="sign-in"),
        path("account/sign-out/", LogoutView.as_view(), name="sign-out"),
    ],
    "companion",
)

urlpatterns = [
    path("", include(companion)),
    path("", include("sessions.urls")),
    path("characters/", include("characters.urls")),
    path("c/", include("characters.exports_urls")),
    path("language/", include("django.conf.urls.i18n")),
    path("admin/", admin.site.urls),
]
