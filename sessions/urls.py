"""Addresses of the evening."""

from django.urls import path

from sessions import (
    chat_views,
    experience_views,
    game_views,
    gm_views,
    house_views,
    npc_views,
    preparing_views,
    report_views,
    rules_views,
    seat_views,
    views,
)

app_name = "play"

urlpatterns = [
    # /j/: the way in
    path("j/", views.enter_code, name="enter-code"),
    path("j/<str:code>/", views.join, name="join"),
    path("j/<str:code>/mine/", seat_views.claim, name="claim"),
    path("j/<str:code>/mine/state/", seat_views.claim_state, name="claim-state"),
    path("seat/<str:token>/", seat_views.use_seat, name="use-seat"),
    # /s/<pk>/: the evening
    path("s/<int:pk>/", views.session, name="session"),
    path("s/<int:pk>/bring/", views.bring, name="bring"),
    path("s/<int:pk>/play/", views.play_along, name="play-along"),
    path("s/<int:pk>/out/", seat_views.step_out, name="step-out"),
    path("s/<int:pk>/over/", seat_views.take_over, name="take-over"),
    path("s/<int:pk>/chat/", chat_views.messages, name="chat"),
    path("s/<int:pk>/chat/options/", chat_views.options, name="chat-options"),
    path("s/<int:pk>/chat/<uuid:key>/", chat_views.message, name="message"),
    # /t/<pk>/, /face/<key>/: tables
    path("t/<int:pk>/", views.table, name="table"),
    path("t/<int:pk>/log/", views.log, name="log"),
    path("t/<int:pk>/rules/", rules_views.table_rules, name="table-rules"),
    path("face/<uuid:key>/", views.face, name="face"),
    path("face/<uuid:key>/join/", views.join_card, name="join-card"),
    # board games
    path("s/<int:pk>/games/", game_views.shelf, name="games"),
    path("s/<int:pk>/games/allow/", game_views.let_players_open, name="let-players-open"),
    path("s/<int:pk>/games/<slug:key>/", game_views.new_game, name="new-game"),
    path("t/<int:pk>/again/", game_views.rematch, name="rematch"),
    path("t/<int:pk>/leave/", game_views.leave, name="leave-game"),
    path("t/<int:pk>/stop/", game_views.stop, name="stop-game"),
    path("t/<int:pk>/reward/", game_views.reward, name="reward"),
    path("t/<int:pk>/seats/<slug:key>/bot/", game_views.hand_to_bot, name="hand-to-bot"),
    path("t/<int:pk>/seats/<slug:key>/back/", game_views.take_from_bot, name="take-from-bot"),
    path("t/<int:pk>/seats/<slug:key>/replace/", game_views.replace_bot, name="replace-bot"),
    # /s/<pk>/experience/: the end of the night
    path("s/<int:pk>/experience/", experience_views.begin, name="experience-begin"),
    path("s/<int:pk>/experience/confirm/", experience_views.confirm_all, name="experience-confirm-all"),
    path("s/<int:pk>/experience/<slug:key>/<int:ticked>/", experience_views.tick, name="experience-tick"),
    path(
        "s/<int:pk>/seats/<int:seat_pk>/experience/confirm/",
        experience_views.confirm,
        name="experience-confirm",
    ),
    path(
        "s/<int:pk>/seats/<int:seat_pk>/experience/<slug:key>/<int:ticked>/",
        experience_views.tick_for,
        name="experience-tick-for",
    ),
    path("s/<int:pk>/seats/<int:seat_pk>/history/", experience_views.seat_history, name="seat-history"),
    path(
        "s/<int:pk>/seats/<int:seat_pk>/history/<int:number>/",
        experience_views.seat_revision,
        name="seat-revision",
    ),
    path(
        "s/<int:pk>/seats/<int:seat_pk>/history/<int:number>/restore/",
        experience_views.seat_restore,
        name="seat-restore",
    ),
    # what stays of a night
    path("s/<int:pk>/report/", report_views.show, name="report"),
    path("s/<int:pk>/report/secrets/", report_views.secrets, name="report-secrets"),
    path("s/<int:pk>/report/share/", report_views.share, name="report-share"),
    path("s/<int:pk>/log/", report_views.log, name="report-log"),
    path("s/<int:pk>/log/file/", report_views.download, name="report-file"),
    path("s/<int:pk>/verify/", report_views.verify, name="report-verify"),
    path("t/<int:pk>/replay/", report_views.replay, name="report-replay"),
    path("t/<int:pk>/verify/", report_views.verify_table, name="report-verify-table"),
    path("t/<int:pk>/verify/facts/", report_views.facts, name="report-facts"),
    path("t/<int:pk>/playthrough/", report_views.playthrough, name="report-playthrough"),
    path("r/<uuid:key>/", report_views.shared, name="report-shared"),
    path("r/<uuid:key>/<int:table_pk>/", report_views.shared_replay, name="report-shared-replay"),
    # /rules/<game>/: to read
    path("rules/<slug:key>/", rules_views.rules, name="rules"),
    # /gm/: what only the GM does
    path("gm/", gm_views.home, name="gm-home"),
    path("gm/campaigns/", gm_views.open_campaign, name="open-campaign"),
    path("gm/campaigns/<int:pk>/", gm_views.campaign, name="campaign"),
    path("gm/campaigns/<int:pk>/house-rules/", house_views.house_rules, name="house-rules"),
    path("gm/campaigns/<int:pk>/open/", gm_views.open_session, name="open-session"),
    path("t/<int:pk>/rewind/<int:to>/", gm_views.rewind, name="rewind"),
    path("gm/campaigns/<int:pk>/ready/", preparing_views.desk, name="preparing"),
    path("gm/campaigns/<int:pk>/ready/<slug:kind>/", preparing_views.prepare, name="prepare"),
    path("gm/campaigns/<int:pk>/ready/<slug:kind>/<int:item>/", preparing_views.prepare, name="prepared"),
    path(
        "gm/campaigns/<int:pk>/ready/<slug:kind>/<int:item>/discard/", preparing_views.discard, name="discard"
    ),
    path("s/<int:pk>/handouts/", preparing_views.hand_over, name="hand-over"),
    path("s/<int:pk>/handouts/<int:handout_pk>/", preparing_views.lay_out, name="lay-out"),
    path("s/<int:pk>/handouts/<int:handout_pk>/reveal/", preparing_views.reveal, name="reveal"),
    path("s/<int:pk>/notice/", preparing_views.put_away, name="put-away"),
    path("s/<int:pk>/scene/", preparing_views.scene, name="scene"),
    path("gm/npcs/", npc_views.library, name="npcs"),
    path("gm/npcs/new/", npc_views.make, name="make-npc"),
    path("gm/npcs/<int:pk>/", npc_views.edit, name="npc"),
    path("gm/npcs/<int:pk>/copy/", npc_views.copy, name="copy-npc"),
    path("gm/npcs/<int:pk>/delete/", npc_views.delete, name="delete-npc"),
    path("t/<int:pk>/npcs/", npc_views.spawn, name="spawn"),
    path("s/<int:pk>/tables/", gm_views.open_table, name="open-table"),
    path("s/<int:pk>/code/", gm_views.rotate_code, name="rotate-code"),
    path("s/<int:pk>/door/", gm_views.door, name="door"),
    path("s/<int:pk>/end/", gm_views.end_session, name="end-session"),
    path("s/<int:pk>/seats/<int:seat_pk>/approve/", gm_views.approve, name="approve"),
    path("s/<int:pk>/seats/<int:seat_pk>/character/", gm_views.character, name="seat-character"),
    path("s/<int:pk>/seats/<int:seat_pk>/admit/<int:table_pk>/", gm_views.admit, name="admit"),
    path("s/<int:pk>/seats/<int:seat_pk>/remove/", gm_views.remove_seat, name="remove-seat"),
    path("s/<int:pk>/seats/<int:seat_pk>/restore/", gm_views.restore_seat, name="restore-seat"),
    # Seat care
    path("s/<int:pk>/seats/<int:seat_pk>/link/", seat_views.show_link, name="seat-link"),
    path("s/<int:pk>/seats/<int:seat_pk>/deputy/", seat_views.appoint, name="appoint"),
    path("s/<int:pk>/seats/<int:seat_pk>/stand-in/", seat_views.stand_in, name="stand-in"),
    path("s/<int:pk>/seats/<int:seat_pk>/back/", seat_views.take_back, name="take-back"),
    path("s/<int:pk>/claims/<int:claim_pk>/", seat_views.answer_claim, name="answer-claim"),
]
