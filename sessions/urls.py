"""Addresses of the evening."""

from django.urls import path

from sessions.views import chat, evening, experience, games, gm, house, npcs, preparing, report, rules, seats

app_name = "play"

urlpatterns = [
    # /j/: the way in
    path("j/", evening.enter_code, name="enter-code"),
    path("j/<str:code>/", evening.join, name="join"),
    path("j/<str:code>/mine/", seats.claim, name="claim"),
    path("j/<str:code>/mine/state/", seats.claim_state, name="claim-state"),
    path("seat/<str:token>/", seats.use_seat, name="use-seat"),
    # /s/<pk>/: the evening
    path("s/<int:pk>/", evening.session, name="session"),
    path("s/<int:pk>/bring/", evening.bring, name="bring"),
    path("s/<int:pk>/play/", evening.play_along, name="play-along"),
    path("s/<int:pk>/out/", seats.step_out, name="step-out"),
    path("s/<int:pk>/over/", seats.take_over, name="take-over"),
    path("s/<int:pk>/chat/", chat.messages, name="chat"),
    path("s/<int:pk>/chat/options/", chat.options, name="chat-options"),
    path("s/<int:pk>/chat/<uuid:key>/", chat.message, name="message"),
    # /t/<pk>/, /face/<key>/: tables
    path("t/<int:pk>/", evening.table, name="table"),
    path("t/<int:pk>/log/", evening.log, name="log"),
    path("t/<int:pk>/rules/", rules.table_rules, name="table-rules"),
    path("face/<uuid:key>/", evening.face, name="face"),
    path("face/<uuid:key>/join/", evening.join_card, name="join-card"),
    # board games
    path("s/<int:pk>/games/", games.shelf, name="games"),
    path("s/<int:pk>/games/allow/", games.let_players_open, name="let-players-open"),
    path("s/<int:pk>/games/<slug:key>/", games.new_game, name="new-game"),
    path("t/<int:pk>/again/", games.rematch, name="rematch"),
    path("t/<int:pk>/leave/", games.leave, name="leave-game"),
    path("t/<int:pk>/stop/", games.stop, name="stop-game"),
    path("t/<int:pk>/reward/", games.reward, name="reward"),
    path("t/<int:pk>/seats/<slug:key>/bot/", games.hand_to_bot, name="hand-to-bot"),
    path("t/<int:pk>/seats/<slug:key>/back/", games.take_from_bot, name="take-from-bot"),
    path("t/<int:pk>/seats/<slug:key>/replace/", games.replace_bot, name="replace-bot"),
    # /s/<pk>/experience/: the end of the night
    path("s/<int:pk>/experience/", experience.begin, name="experience-begin"),
    path("s/<int:pk>/experience/confirm/", experience.confirm_all, name="experience-confirm-all"),
    path("s/<int:pk>/experience/<slug:key>/<int:ticked>/", experience.tick, name="experience-tick"),
    path(
        "s/<int:pk>/seats/<int:seat_pk>/experience/confirm/",
        experience.confirm,
        name="experience-confirm",
    ),
    path(
        "s/<int:pk>/seats/<int:seat_pk>/experience/<slug:key>/<int:ticked>/",
        experience.tick_for,
        name="experience-tick-for",
    ),
    path("s/<int:pk>/seats/<int:seat_pk>/history/", experience.seat_history, name="seat-history"),
    path(
        "s/<int:pk>/seats/<int:seat_pk>/history/<int:number>/",
        experience.seat_revision,
        name="seat-revision",
    ),
    path(
        "s/<int:pk>/seats/<int:seat_pk>/history/<int:number>/restore/",
        experience.seat_restore,
        name="seat-restore",
    ),
    # the records of a night
    path("s/<int:pk>/report/", report.show, name="report"),
    path("s/<int:pk>/report/secrets/", report.secrets, name="report-secrets"),
    path("s/<int:pk>/report/share/", report.share, name="report-share"),
    path("s/<int:pk>/log/", report.log, name="report-log"),
    path("s/<int:pk>/log/file/", report.download, name="report-file"),
    path("s/<int:pk>/verify/", report.verify, name="report-verify"),
    path("t/<int:pk>/replay/", report.replay, name="report-replay"),
    path("t/<int:pk>/verify/", report.verify_table, name="report-verify-table"),
    path("t/<int:pk>/verify/facts/", report.facts, name="report-facts"),
    path("t/<int:pk>/playthrough/", report.playthrough, name="report-playthrough"),
    path("r/<uuid:key>/", report.shared, name="report-shared"),
    path("r/<uuid:key>/<int:table_pk>/", report.shared_replay, name="report-shared-replay"),
    # /rules/<game>/: the rules
    path("rules/<slug:key>/", rules.rules, name="rules"),
    # /gm/: the GM's pages
    path("gm/", gm.home, name="gm-home"),
    path("gm/campaigns/", gm.open_campaign, name="open-campaign"),
    path("gm/campaigns/<int:pk>/", gm.campaign, name="campaign"),
    path("gm/campaigns/<int:pk>/house-rules/", house.house_rules, name="house-rules"),
    path("gm/campaigns/<int:pk>/open/", gm.open_session, name="open-session"),
    path("t/<int:pk>/rewind/<int:to>/", gm.rewind, name="rewind"),
    path("gm/campaigns/<int:pk>/ready/", preparing.desk, name="preparing"),
    path("gm/campaigns/<int:pk>/ready/<slug:kind>/", preparing.prepare, name="prepare"),
    path("gm/campaigns/<int:pk>/ready/<slug:kind>/<int:item>/", preparing.prepare, name="prepared"),
    path("gm/campaigns/<int:pk>/ready/<slug:kind>/<int:item>/discard/", preparing.discard, name="discard"),
    path("s/<int:pk>/handouts/", preparing.hand_over, name="hand-over"),
    path("s/<int:pk>/handouts/<int:handout_pk>/", preparing.lay_out, name="lay-out"),
    path("s/<int:pk>/handouts/<int:handout_pk>/reveal/", preparing.reveal, name="reveal"),
    path("s/<int:pk>/notice/", preparing.put_away, name="put-away"),
    path("s/<int:pk>/scene/", preparing.scene, name="scene"),
    path("gm/npcs/", npcs.library, name="npcs"),
    path("gm/npcs/new/", npcs.make, name="make-npc"),
    path("gm/npcs/<int:pk>/", npcs.edit, name="npc"),
    path("gm/npcs/<int:pk>/copy/", npcs.copy, name="copy-npc"),
    path("gm/npcs/<int:pk>/delete/", npcs.delete, name="delete-npc"),
    path("t/<int:pk>/npcs/", npcs.spawn, name="spawn"),
    path("s/<int:pk>/tables/", gm.open_table, name="open-table"),
    path("s/<int:pk>/code/", gm.rotate_code, name="rotate-code"),
    path("s/<int:pk>/door/", gm.door, name="door"),
    path("s/<int:pk>/end/", gm.end_session, name="end-session"),
    path("s/<int:pk>/seats/<int:seat_pk>/approve/", gm.approve, name="approve"),
    path("s/<int:pk>/seats/<int:seat_pk>/character/", gm.character, name="seat-character"),
    path("s/<int:pk>/seats/<int:seat_pk>/admit/<int:table_pk>/", gm.admit, name="admit"),
    path("s/<int:pk>/seats/<int:seat_pk>/remove/", gm.remove_seat, name="remove-seat"),
    path("s/<int:pk>/seats/<int:seat_pk>/restore/", gm.restore_seat, name="restore-seat"),
    # Seat care
    path("s/<int:pk>/seats/<int:seat_pk>/link/", seats.show_link, name="seat-link"),
    path("s/<int:pk>/seats/<int:seat_pk>/deputy/", seats.appoint, name="appoint"),
    path("s/<int:pk>/seats/<int:seat_pk>/stand-in/", seats.stand_in, name="stand-in"),
    path("s/<int:pk>/seats/<int:seat_pk>/back/", seats.take_back, name="take-back"),
    path("s/<int:pk>/claims/<int:claim_pk>/", seats.answer_claim, name="answer-claim"),
]
