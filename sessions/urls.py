"""Addresses of the evening."""

from django.urls import path

from sessions import gm_views, views

app_name = "play"

urlpatterns = [
    # /j/: the way in
    path("j/", views.enter_code, name="enter-code"),
    path("j/<str:code>/", views.join, name="join"),
    # /s/<pk>/: the evening
    path("s/<int:pk>/", views.session, name="session"),
    path("s/<int:pk>/bring/", views.bring, name="bring"),
    path("s/<int:pk>/play/", views.play_along, name="play-along"),
    # /t/<pk>/, /face/<key>/: tables
    path("t/<int:pk>/", views.table, name="table"),
    path("t/<int:pk>/log/", views.log, name="log"),
    path("face/<uuid:key>/", views.face, name="face"),
    path("face/<uuid:key>/join/", views.join_card, name="join-card"),
    # /gm/: what only the GM does
    path("gm/", gm_views.home, name="gm-home"),
    path("gm/campaigns/", gm_views.open_campaign, name="open-campaign"),
    path("gm/campaigns/<int:pk>/", gm_views.campaign, name="campaign"),
    path("gm/campaigns/<int:pk>/open/", gm_views.open_session, name="open-session"),
    path("t/<int:pk>/rewind/<int:to>/", gm_views.rewind, name="rewind"),
    path("s/<int:pk>/tables/", gm_views.open_table, name="open-table"),
    path("s/<int:pk>/code/", gm_views.rotate_code, name="rotate-code"),
    path("s/<int:pk>/door/", gm_views.door, name="door"),
    path("s/<int:pk>/end/", gm_views.end_session, name="end-session"),
    path("s/<int:pk>/seats/<int:seat_pk>/approve/", gm_views.approve, name="approve"),
    path("s/<int:pk>/seats/<int:seat_pk>/character/", gm_views.character, name="seat-character"),
    path("s/<int:pk>/seats/<int:seat_pk>/admit/<int:table_pk>/", gm_views.admit, name="admit"),
    path("s/<int:pk>/seats/<int:seat_pk>/remove/", gm_views.remove_seat, name="remove-seat"),
    path("s/<int:pk>/seats/<int:seat_pk>/restore/", gm_views.restore_seat, name="restore-seat"),
]
