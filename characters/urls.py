"""URLs of ``characters``: the pages, and short addresses of a character for other tools."""

from django.urls import include, path

from characters.views import creation, exchange, experience, faces, history, sheet

#: /characters/…
pages = [
    path("", sheet.character_list, name="shelf"),
    path("new/", creation.start, name="start"),
    path("new/ready/", creation.take_ready, name="take-ready"),
    path("bring/", exchange.bring, name="bring"),
    path("<int:pk>/", sheet.sheet, name="sheet"),
    path("<int:pk>/edit/", sheet.edit, name="edit"),
    path("<int:pk>/face/", faces.edit_portrait, name="face"),
    path("<int:pk>/faces/", faces.edit_faces, name="faces"),
    path("<int:pk>/faces/<int:face>/label/", faces.relabel_face, name="relabel-face"),
    path("<int:pk>/faces/<int:face>/move/", faces.move_face, name="move-face"),
    path("<int:pk>/faces/<int:face>/remove/", faces.remove_face, name="remove-face"),
    path("<int:pk>/delete/", sheet.delete, name="delete"),
    path("<int:pk>/hp/", sheet.set_hp, name="set-hp"),
    path("<int:pk>/items/add/", sheet.add_item, name="add-item"),
    path("<int:pk>/items/<int:item>/remove/", sheet.remove_item, name="remove-item"),
    path("<int:pk>/experience/start/", experience.start_checklist, name="start-checklist"),
    path(
        "<int:pk>/experience/<int:checklist>/<slug:key>/tick/",
        experience.tick_experience,
        name="tick-experience",
    ),
    path(
        "<int:pk>/experience/<int:checklist>/<slug:key>/untick/",
        experience.untick_experience,
        name="untick-experience",
    ),
    path(
        "<int:pk>/experience/<int:checklist>/confirm/",
        experience.confirm_experience,
        name="confirm-experience",
    ),
    path("<int:pk>/experience/buy/", experience.buy, name="buy"),
    path("<int:pk>/experience/back/<int:entry>/", experience.take_back, name="take-back"),
    path("<int:pk>/history/", history.history, name="history"),
    path("<int:pk>/history/<int:number>/", history.revision, name="revision"),
    path("<int:pk>/history/<int:number>/restore/", history.restore, name="restore"),
]

# Sharing and copying
pages += [
    path("<int:pk>/visibility/", sheet.show_to, name="show-to"),
    path("<int:pk>/link/make/", sheet.make_link, name="make-link"),
    path("<int:pk>/link/end/", sheet.end_link, name="end-link"),
    path("<int:pk>/password/", sheet.set_password, name="set-password"),
    path("<int:pk>/password/end/", sheet.end_password, name="end-password"),
    path("shared/<str:key>/edit/", sheet.unlock, name="unlock"),
    path("<int:pk>/copy/", sheet.copy, name="copy"),
    path("shared/<str:key>/", sheet.show_shared, name="shared"),
]

# /characters/<pk>/creation/
pages += [
    path("<int:pk>/creation/", creation.resume, name="creation"),
    path("<int:pk>/creation/cards/", creation.cards, name="create-cards"),
    path("<int:pk>/creation/draw/", creation.draw, name="draw"),
    path("<int:pk>/creation/by-hand/", creation.by_hand, name="by-hand"),
    path("<int:pk>/creation/redraw/", creation.redraw, name="redraw"),
    path("<int:pk>/creation/spend/", creation.spend, name="create-spend"),
    path("<int:pk>/creation/suit/", creation.suit, name="create-suit"),
    path("<int:pk>/creation/skills/", creation.skills, name="create-skills"),
    path("<int:pk>/creation/special/", creation.special, name="create-special"),
    path("<int:pk>/creation/items/", creation.items, name="create-items"),
    path("<int:pk>/creation/items/offered/", creation.take_offered_item, name="take-offered"),
    path("<int:pk>/creation/about/", creation.about, name="create-about"),
    path("<int:pk>/creation/review/", creation.review, name="create-review"),
]

#: /c/…
exports = [
    path("<int:pk>", exchange.page, name="page"),
    path("<int:pk>.json", exchange.character_json, name="json"),
    path("shared/<str:key>.json", exchange.shared_json, name="shared"),
    path("<int:pk>/palette.txt", exchange.palette_text, name="palette"),
    path("<int:pk>/udonarium.zip", exchange.udonarium_zip, name="udonarium"),
]

urlpatterns = [
    path("characters/", include((pages, "characters"))),
    path("c/", include((exports, "exports"))),
]
