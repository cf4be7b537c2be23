"""The URL configuration."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from companion import views
from companion.accounts import urls as account
from companion.files import gallery
from companion.pages import home_screen, reach
from companion.push import notifications

companion: tuple[list[URLPattern | URLResolver], str] = (
    [
        path("", views.home, name="home"),
        path("favicon.ico", views.no_icon),
        path("manifest.webmanifest", home_screen.manifest, name="manifest"),
        path("worker.js", home_screen.worker, name="worker"),
        path("offline/", home_screen.offline, name="offline"),
        path("push/", notifications.subscribe, name="push"),
        path("push/off/", notifications.unsubscribe, name="push-off"),
        path("gm/enter/<str:token>/", views.gm_enter, name="gm-enter"),
        path("reach/<str:token>/", reach.page, name="reach"),
        path("reach/<str:token>/seen/", reach.phone_status, name="reach-seen"),
        path("account/", include(account.companion)),
        path("device/", include(account.device)),
    ],
    "companion",
)

handler429 = "companion.requests.throttle.too_many_requests_page"
handler500 = "companion.views.error_page"

urlpatterns = [
    path("", include(companion)),
    path("account/", include(account.library)),
    path("pictures/<slug:key>.webp", gallery.picture, name="picture"),
    path("", include("sessions.urls")),
    path("", include("characters.urls")),
    path("language/", include("django.conf.urls.i18n")),
    path("admin/", admin.site.urls),
]
