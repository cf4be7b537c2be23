"""The stage of a session: the GM puts a scene on, and everybody sees its public part.

``Session.staged`` holds a copy of that part, so changing or deleting the scene does not change the stage.
Scenes that are not on stage are rendered for the GM alone.

Cut-ins and sounds last a moment on all screens. They are not stored, so later pages miss them. In a
rehearsal the GM tries all of this with a shipped scenario.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from math import ceil
from typing import Any, NamedTuple, TypeVar
from unicodedata import east_asian_width

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.core.cache import cache
from django.db import transaction
from django.db.models import Exists
from django.utils.translation import gettext

from companion import shared_time
from companion.files import gallery
from companion.models import Picture
from companion.requests.quotas import QuotaExceeded
from sessions.card_table import npcs, trials
from sessions.card_table.house_rules import card_game
from sessions.evening import handouts, nights, preparation
from sessions.evening.announcements import broadcast, session_group
from sessions.evening.refusals import Refused
from sessions.models import Campaign, Handout, HandoutCopy, Role, Scenario, Seat, Session, Stage, Table
from sessions.scenarios import document as documents
from sessions.scenarios import editing, shipped
from sessions.scenarios.document import (
    CutIn,
    ScenarioHandout,
    ScenarioNpc,
    ScenarioPart,
    ScenarioScene,
    Unfit,
)
from sessions.scenarios.editing import document_of
from sessions.scenarios.folding import FoldedText
from sessions.scenarios.secrecy import label_of
from sessions.scenarios.text_lines import FOLLOWS

#: Seconds between two cut-ins; a whole number, as not every cache accepts fractions. static/js/cut-in.js
#: shows one for 1.5 seconds.
APART = 2
#: Seconds until a cut-in begins, so that the slowest phone has its message, or has also loaded its media.
LEAD, LOADING = 0.3, 1.0
#: The screen regions that show the stage to the GM alone.
DESK = ("stage", "script", "prepared", "outcomes")
#: The fields of a scene that are for everybody, besides its picture.
SHOWN = ("title", "read", "mood", "caption", "ambience", "sound")
#: The length in seconds of a sound that can be played once for everybody.
ONCE_AT_MOST = 15
#: The seconds for which the table face shows the join code again.
CODE_STAYS = 60
#: Characters that a GM reads aloud in a second, Japanese or others; the shortest time of a scene's title.
READ_ALOUD, READ_ALOUD_OTHERS, TITLE_AT_LEAST = 5, 14, 8
T = TypeVar("T", bound=ScenarioPart)
#: The label of an outcome that names a failure, one that names a success, and one that names neither.
FAILURE = re.compile(r"失敗|ファンブル|failure|fumble", re.IGNORECASE)
SUCCESS = re.compile(r"成功|クリティカル|success", re.IGNORECASE)
OTHER_LABEL = re.compile(r"[^:「]{1,24}:\s*")


class PreparedWords(NamedTuple):
    """Words that are prepared for an outcome of a check; ``success`` is None if their label names neither."""

    label: str
    success: bool | None
    words: str


def broadcast_cut_in(
    session: Session,
    *,
    words: str = "",
    picture: Mapping[str, Any] | None = None,
    sound: str = "",
    code: int = 0,
) -> None:
    """Show this on every open page of a session at the same instant, after the commit.

    :param sound: the URL of a sound, which is played once.
    :param code: for how many seconds the table face shows the join code.
    :raises Refused: ``too_soon``.
    """
    if not cache.add(f"thrown.{session.pk}", True, APART):
        raise Refused("too_soon")
    thrown = {"words": words, "picture": picture, "sound": sound} | ({"code": code} if code else {})
    lead = LOADING if picture or sound else LEAD

    def tell() -> None:
        at = round((shared_time.seconds() + lead) * 1000)
        message = {"type": "stage.thrown", "thrown": {"at": at, **thrown}}
        async_to_sync(get_channel_layer().group_send)(session_group(session.pk), message)

    transaction.on_commit(tell, robust=True)


@transaction.atomic
def choose_scenario(*, session: Session, scenario: Scenario | None) -> None:
    """Set the scenario of a session, None for none, with no scene on stage.

    :raises Scenario.DoesNotExist: it was deleted.
    """
    if scenario:
        # The default manager leaves out the scenario of a rehearsal, which its stage needs.
        scenario = Scenario._base_manager.select_for_update().get(pk=scenario.pk)
    Stage.objects.update_or_create(session=session, defaults={"scenario": scenario, "scene": "", "used": []})
    _show(session, None)


@transaction.atomic
def show_scene(*, session: Session, scene_id: str) -> None:
    """Put a scene on stage: everybody gets its picture, mood, words and sound.

    :raises Unfit: ``gone``: the scenario of the session has no such scene.
    """
    stage = _lock_stage(session)
    scene = _find_thing(stage, scene_id, ScenarioScene)
    stage.scene = scene.id
    _use(stage, scene.id)
    picture = _picture(stage, scene.picture)
    _show(session, scene, [picture] if picture else [])


@transaction.atomic
def show_recap(*, session: Session, text: str, pictures: list[Picture]) -> None:
    """Put the recap of the last session on stage: a scene that is in no scenario, with several pictures."""
    Stage.objects.filter(session=session).update(scene="")
    _show(session, ScenarioScene(id="recap", title=gettext("Previously"), read=text), pictures)


def shown_recap(session: Session) -> str:
    """Return the words of the recap that is on stage, "" if there is none.

    The recap is the only scene that can be on stage without being one of the scenario.
    """
    scene_on = Stage.objects.filter(session=session).exclude(scene="").exists()
    return "" if scene_on else str(session.staged.get("read", ""))


@transaction.atomic
def clear_stage(*, session: Session) -> None:
    """End the scene on stage, so that nothing of it is shown."""
    Stage.objects.filter(session=session).update(scene="")
    _show(session, None)


@transaction.atomic
def read_out(*, session: Session, check_id: str, place: int) -> None:
    """Show everybody the words for an outcome as the text of the scene on stage, or its own text again.

    :param place: the place of the outcome among those of its check.
    :raises Unfit: ``gone``: there is no such outcome, or its check is not in the scene on stage.
    """
    stage = _lock_stage(session)
    scene = _find_thing(stage, stage.scene, ScenarioScene)
    outcomes = [split_outcomes(check.follows) for check in scene.checks if check.id == check_id]
    if not outcomes or place >= len(outcomes[0]):
        raise Unfit("gone")
    words = outcomes[0][place].words
    staged = Session.objects.select_for_update().values_list("staged", flat=True).get(pk=session.pk)
    read = scene.read if staged.get("read") == words else words
    staged |= {"read": read} | _reading_time(scene.title, scene.caption, read)
    Session.objects.filter(pk=session.pk).update(staged=staged, scene_note=None)
    broadcast(session.pk)


def split_outcomes(follows: str) -> list[PreparedWords]:
    """Split what follows a check into its outcomes, one a line.

    Lines without a label continue the words for a success or a failure.
    """
    outcomes: list[PreparedWords] = []
    is_secret = False
    for line in follows.splitlines():
        folded = FoldedText(line)
        verdict, before = FOLLOWS.match(folded.flat), outcomes[-1] if outcomes else None
        # In doubt, all below a line that is for the GM alone is so, too, until the next outcome.
        is_secret = bool(label_of(line)) or (is_secret and verdict is None)
        if is_secret:
            continue
        if verdict is None and before and before.success is not None:
            outcomes[-1] = before._replace(words=f"{before.words}\n{line}".strip())
            continue
        label = verdict or OTHER_LABEL.match(folded.flat)
        end = label.end() if label else 0
        success = None
        if verdict and (FAILURE.search(verdict[0]) or SUCCESS.search(verdict[0])):
            success = not FAILURE.search(verdict[0])
        outcomes.append(PreparedWords(folded.part(0, end).strip(), success, folded.since(end).strip()))
    return [outcome for outcome in outcomes if outcome.words]


@transaction.atomic
def give_handout(*, session: Session, handout_id: str, seats: list[Seat]) -> None:
    """Give a handout of the scenario to these seats; every phone shows the same card.

    :raises Unfit: ``gone``.
    :raises companion.requests.quotas.QuotaExceeded: the campaign has no room for it.
    """
    stage = _lock_stage(session)
    prepared = _find_thing(stage, handout_id, ScenarioHandout)
    handouts.give_handout(handout=_create_handout(stage, prepared), session=session, seats=seats)
    _use(stage, prepared.id)


@transaction.atomic
def give_each_handout(*, session: Session) -> None:
    """Give each player without a handout one of the scene's, all with one card on every phone.

    :raises Unfit: ``gone``, or if all players have one.
    :raises companion.requests.quotas.QuotaExceeded: the campaign has no room for them.
    """
    stage = _lock_stage(session)
    pairs = pair_handouts(session, _find_thing(stage, stage.scene, ScenarioScene), stage.used)
    if not pairs:
        raise Unfit("nobody")
    copies = [(_create_handout(stage, prepared), seat) for prepared, seat in pairs]
    handouts.give_handouts(session=session, copies=copies)
    for prepared, _seat in pairs:
        _use(stage, prepared.id)


def pair_handouts(
    session: Session, scene: ScenarioScene, used: list[str]
) -> list[tuple[ScenarioHandout, Seat]]:
    """Return the scene's unused handouts with a secret, each with the player who would get it."""
    secrets = [letter for letter in scene.letters if letter.secret and letter.id not in used]
    if not secrets:
        return []
    served = set(HandoutCopy.objects.filter(seat__session=session).values_list("seat", flat=True))
    without = [seat for seat in session.players if seat.role == Role.PLAYER and seat.pk not in served]
    return list(zip(secrets, without, strict=False))


def _create_handout(stage: Stage, prepared: ScenarioHandout) -> Handout:
    campaign = stage.session.own_campaign
    handout = Handout(campaign=campaign, title=prepared.title, text=prepared.text, secret=prepared.secret)
    if picture := _picture(stage, prepared.picture):
        handout.picture = gallery.store_picture(campaign.gm, gallery.picture_content(picture), guarded=True)
    handout.save()
    return handout


def bring_npcs(*, session: Session, npc_id: str, table_pk: int) -> None:
    """Bring NPCs of the scenario to a table. [UC-10.4]

    :raises Unfit: ``gone``.
    :raises sessions.game.IllegalMove: as ``npcs.spawn``.
    """
    with transaction.atomic():
        stage = _lock_stage(session)
        npc = _find_thing(stage, npc_id, ScenarioNpc)
        npcs.spawn(
            table_pk=table_pk,
            rank=npc.rank,
            count=npc.count,
            name=npc.name,
            hidden=npc.hidden,
            special=npc.special,
            picture=_picture(stage, npc.picture),
        )
        _use(stage, npc.id)


@transaction.atomic
def show_cut_in(*, session: Session, cut_in_id: str) -> None:
    """Show a cut-in on every screen.

    :raises Unfit: ``gone``, also if there is nothing in it.
    :raises sessions.evening.refusals.Refused: ``too_soon``.
    """
    stage = _lock_stage(session)
    cut_in = _find_thing(stage, cut_in_id, CutIn)
    picture = _picture(stage, cut_in.picture)
    if not (cut_in.words or picture):
        raise Unfit("gone")
    broadcast_cut_in(session, words=cut_in.words, picture=_picture_context(picture))
    _use(stage, cut_in.id)


@transaction.atomic
def play_once(*, session: Session, key: str) -> None:
    """Play a short sound of the scenario for everybody, once.

    :raises Unfit: ``gone``.
    :raises sessions.evening.refusals.Refused: ``too_soon``; ``too_long_for_once``.
    """
    scenario = _lock_stage(session).scenario
    sound = scenario and scenario.sounds.filter(key=key).defer("content").first()
    if not sound:
        raise Unfit("gone")
    if sound.seconds > ONCE_AT_MOST:
        raise Refused("too_long_for_once", most=ONCE_AT_MOST)
    broadcast_cut_in(session, sound=sound.get_absolute_url())


def show_code(*, session: Session) -> None:
    """Show the join code on the table face for a minute.

    :raises sessions.evening.refusals.Refused: ``too_soon``.
    """
    broadcast_cut_in(session, code=CODE_STAYS)


@transaction.atomic
def mark_used(*, session: Session, thing_id: str) -> None:
    """Mark a thing of the scenario as used in this session.

    :raises Unfit: ``gone``.
    """
    stage = _lock_stage(session)
    _find_thing(stage, thing_id, ScenarioPart)
    _use(stage, thing_id)


@transaction.atomic
def begin_staged_rehearsal(campaign: Campaign, language: str | None) -> Table:
    """Open a rehearsal of a campaign, replacing any earlier one. It has no scenario if the GM has no room."""
    table = trials.begin_rehearsal(campaign)
    with suppress(QuotaExceeded), transaction.atomic():
        scenario = shipped.copy_scenario(campaign.gm, shipped.shipped_scenarios(language)[0].key, language)
        scenario.rehearsal = table.session
        scenario.save(update_fields=["rehearsal"])
        choose_scenario(session=table.session, scenario=scenario)
    return table


def desk_context(session: Session, seat: Seat | None) -> dict[str, Any]:
    """Return the template values of the GM's stage: the scene on it, the next scenes, and the checks.

    Seats that are not the GM's get none.
    """
    if seat is None or not seat.is_gm:
        return {}
    # One query for the stage, which not every session has, and for the recap's button.
    rows = Session.objects.select_related("stage__scenario").only("stage")
    row = rows.annotate(previous=Exists(nights.previous_sessions(session))).get(pk=session.pk)
    stage, previous = getattr(row, "stage", None), row.previous
    checks = preparation.prepared_checks(session)
    if stage is None or stage.scenario is None:
        own = Scenario.objects.filter(owner=session.own_campaign.gm_id)
        # A deputy must not see the GM's other scenarios.
        shown = [] if seat.stand_in_id else own.defer("document")
        return {"scenarios": shown, "checks": checks, "previous": previous}
    document = document_of(stage.scenario)
    scene = next((scene for scene in document.scenes if scene.id == stage.scene), None)
    return {
        "scenario": stage.scenario,
        "previous": previous,
        "document": document,
        "scene": scene,
        "follow": documents.next_scenes(document, stage.scene),
        "used": stage.used,
        "may_choose": seat.stand_in_id is None,
        "outcomes": [(check, split_outcomes(check.follows)) for check in (scene.checks if scene else ())],
        "reads": session.staged.get("read"),
        "pairs": pair_handouts(session, scene, stage.used) if scene else [],
        "short_sounds": stage.scenario.sounds.filter(seconds__lte=ONCE_AT_MOST).defer("content"),
        "checks": checks,
        "receivers": session.players,
        "table": next((table for table in session.running if table.module == card_game().key), None),
    }


def content_warnings(session: Session) -> list[str]:
    """Return the content warnings of a session's scenario; players may want to leave these things out."""
    staged = Stage.objects.filter(session=session).values_list("scenario__document__warns", flat=True)
    warns = session.read_once("warnings", lambda: list(staged)) if session.campaign_id else []
    return [line for text in warns for line in (text or "").splitlines() if line.strip()]


def _show(session: Session, scene: ScenarioScene | None, pictures: Sequence[Picture] = ()) -> None:
    """Show everybody the public part of a scene, or nothing for None."""
    staged: dict[str, Any] = {name: getattr(scene, name) for name in SHOWN} if scene else {}
    if scene:
        staged |= _reading_time(scene.title, scene.caption, scene.read)
    if pictures:
        staged["picture"], *staged["further"] = map(_picture_context, pictures)
    if scene and scene.sound:
        before = Session.objects.values_list("staged", flat=True).get(pk=session.pk)
        staged["since"] = editing.sound_since(before, scene.sound)
    Session.objects.filter(pk=session.pk).update(
        staged=staged, scene=scene.title if scene else "", scene_note=None
    )
    broadcast(session.pk)


def _reading_time(*texts: str) -> dict[str, int]:
    """Return for how many seconds from now the table face shows these texts, and until when in ms."""
    stays = seconds_to_read(*texts)
    return {"stays": stays, "until": round((shared_time.seconds() + stays) * 1000)}


def seconds_to_read(*texts: str) -> int:
    """Return the seconds in which a GM reads these texts aloud: so long the table face shows them."""
    wide = sum(east_asian_width(sign) in "WF" for text in texts for sign in text)
    others = sum(map(len, texts)) - wide
    return max(TITLE_AT_LEAST, ceil(wide / READ_ALOUD + others / READ_ALOUD_OTHERS))


def _picture_context(picture: Picture | None) -> dict[str, Any] | None:
    if picture is None:
        return None
    return {"url": picture.get_absolute_url(), "width": picture.width, "height": picture.height}


def _picture(stage: Stage, key: str) -> Picture | None:
    """Return a picture of the scenario of the stage, None if no picture has this key."""
    assert stage.scenario
    return Picture.objects.filter(pk__in=stage.scenario.pictures.values("picture"), key=key).first()


def _lock_stage(session: Session) -> Stage:
    """Return the stage of a session with its row locked.

    :raises Unfit: ``gone``: it has no scenario.
    """
    stage = Stage.objects.select_for_update(of=("self",)).filter(session=session).first()
    if stage is None or stage.scenario is None:
        raise Unfit("gone")
    return stage


def _find_thing(stage: Stage, thing_id: str, kind: type[T]) -> T:
    assert stage.scenario
    thing = documents.find(document_of(stage.scenario), thing_id)
    if not isinstance(thing, kind):
        raise Unfit("gone")
    return thing


def _use(stage: Stage, thing_id: str) -> None:
    if thing_id not in stage.used:
        stage.used = [*stage.used, thing_id]
    stage.save(update_fields=["scene", "used"])
    broadcast(stage.session_id, *DESK)
