"""The URLs of a bench, in addition to those of every server."""

from django.urls import include, path

from companion import urls
from sessions.bench import views

handler429, handler500 = urls.handler429, urls.handler500

bench = (
    [
        path("", views.bench, name="page"),
        path("now/", views.now, name="now"),
        path("begin/", views.begin, name="begin"),
        path("go/", views.go, name="go"),
        path("bot/", views.bot, name="bot"),
        path("sit/", views.sit, name="sit"),
    ],
    "bench",
)

urlpatterns = [path("bench/", include(bench)), *urls.urlpatterns]
