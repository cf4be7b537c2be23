"""Campaigns, nights, seats, and the tables with their moves."""

from __future__ import annotations

import uuid
from datetime import timedelta

from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

#: After this time a join code opens nothing any more; people who are seated stay seated.
CODE_LIFETIME = timedelta(hours=24)


class Campaign(models.Model):
    """What a GM runs over many nights: its people and house rules."""

    gm = models.ForeignKey("companion.Person", on_delete=models.CASCADE, related_name="campaigns")
    name = models.CharField(_("name"), max_length=60)
    jokers = models.PositiveSmallIntegerField(
        _("jokers in the deck"), default=2, choices=[(1, "1"), (2, "2")]
    )
    ladder = models.JSONField(
        null=True,
        blank=True,
        help_text="House rules for the difficulty ladder, six rows as in UC-4.2; empty: the rules' own.",
    )
    figures = models.JSONField(
        default=dict,
        blank=True,
        help_text="House rules for experience (UC-11.2) and NPC ranks (UC-10.4); empty: the rules' own.",
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(condition=Q(jokers__in=[1, 2]), name="campaign_one_or_two_jokers")
        ]

    def __str__(self) -> str:
        return self.name


class Session(models.Model):
    """One night (卓): a join code, seats, tables."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="sessions")
    title = models.CharField(_("title"), max_length=60)
    code = models.CharField(max_length=6)
    code_issued_at = models.DateTimeField(default=timezone.now)
    joining_open = models.BooleanField(default=True)
    scene = models.CharField(max_length=60, blank=True, help_text="Where the story is now, for all.")
    face_key = models.UUIDField(
        default=uuid.uuid4, unique=True, editable=False, help_text="Address of the table face."
    )
    gm_reads_whispers = models.BooleanField(_("The GM can read whispers"), default=False)
    players_write_hp = models.BooleanField(_("Players write their own HP"), default=True)
    spectators_chat = models.BooleanField(_("Spectators may write aside"), default=False)
    opened_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    secrets_opened_at = models.DateTimeField(
        null=True, blank=True, help_text="Since when everybody seated may read what was hidden."
    )
    replay_key = models.UUIDField(
        null=True, blank=True, unique=True, editable=False, help_text="Address of the shared replays, if any."
    )

    class Meta:
        ordering = ["-opened_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["code"], condition=Q(ended_at=None), name="session_one_open_session_a_code"
            )
        ]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("play:session", args=[self.pk])

    @property
    def admits(self) -> bool:
        """Whether a stranger with the code may come in now."""
        fresh = timezone.now() < self.code_issued_at + CODE_LIFETIME
        return self.joining_open and self.ended_at is None and fresh

    @property
    def spoken_code(self) -> str:
        """The code as people read it aloud: two groups of three."""
        return f"{self.code[:3]} {self.code[3:]}"


class Role(models.TextChoices):
    GM = "gm", _("GM")
    PLAYER = "player", _("Player")
    SPECTATOR = "spectator", _("Spectator")


class Seat(models.Model):
    """A person's place in a session. Kept for the whole night; a kick only marks it."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="seats")
    person = models.ForeignKey("companion.Person", on_delete=models.CASCADE, related_name="seats")
    role = models.CharField(max_length=9, choices=Role)
    name = models.CharField(max_length=12)
    name_key = models.CharField(max_length=48, editable=False, help_text="The name without width and case.")
    character = models.ForeignKey(
        "characters.Character", null=True, blank=True, on_delete=models.SET_NULL, related_name="seats"
    )
    approved = models.BooleanField(default=False, help_text="The GM has approved the character.")
    deputy = models.BooleanField(
        default=False, help_text="May run the session while the GM is gone (サブマスター)."
    )
    stand_in = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="stands_in_for",
        help_text="The seat that plays this one meanwhile (代行).",
    )
    stepped_out = models.BooleanField(default=False, help_text="Away from the table for a while (離席中).")
    moved_from = models.ForeignKey(
        "companion.Person",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="Who held it before it went to another device.",
    )
    joined_at = models.DateTimeField(auto_now_add=True)
    removed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["joined_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["session", "person"], name="seat_one_a_person"),
            models.UniqueConstraint(
                fields=["session", "name_key"], condition=Q(removed_at=None), name="seat_names_differ"
            ),
            models.CheckConstraint(condition=~Q(stand_in=F("pk")), name="seat_stands_in_for_others"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_gm(self) -> bool:
        return self.role == Role.GM


class SeatLink(models.Model):
    """A one-time link that takes a seat to another device. Only its hash is kept."""

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="links")
    token_hash = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"link to {self.seat}"


class SeatClaim(models.Model):
    """Somebody at the door says that a seat is theirs; the GM answers."""

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="claims")
    person = models.ForeignKey("companion.Person", on_delete=models.CASCADE, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["made_at"]
        constraints = [models.UniqueConstraint(fields=["seat", "person"], name="seat_claimed_once")]

    def __str__(self) -> str:
        return f"claim on {self.seat}"


class SeatNote(models.Model):
    """What was done about a seat: who ran the session when, who played for whom."""

    class Kind(models.TextChoices):
        STOOD_IN = "stood_in"
        TAKEN_BACK = "taken_back"
        TOOK_OVER = "took_over"
        DEPUTY = "deputy"
        NO_DEPUTY = "no_deputy"
        MOVED = "moved"
        REMOVED = "removed"
        RESTORED = "restored"

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="seat_notes")
    kind = models.CharField(max_length=10, choices=Kind)
    name = models.CharField(max_length=12, help_text="Whose seat, as it was called then.")
    by = models.CharField(max_length=12, blank=True, help_text="Who else had part in it.")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.name}: {self.kind}"


class Table(models.Model):
    """One running module inside a session. Its snapshot changes only by a move."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="tables")
    module = models.SlugField(max_length=32)
    options = models.JSONField(default=dict)
    opening_seats = models.JSONField(default=list, help_text="The module's seats when the table opened.")
    secret = models.CharField(max_length=64, editable=False)
    commitment = models.CharField(max_length=64, editable=False)
    version = models.PositiveIntegerField(default=0)
    snapshot = models.BinaryField()
    before = models.BinaryField(
        default=b"", help_text="The snapshot before the newest move that stands; empty as dealt."
    )
    opened_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-opened_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.module} #{self.pk}"

    def get_absolute_url(self) -> str:
        return reverse("play:table", args=[self.pk])


class TableSeat(models.Model):
    """Which seat of the night plays which seat of the module."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="table_seats")
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="table_seats")
    key = models.CharField(max_length=8, help_text="gm, p1 … p8")

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["table", "key"], name="table_seat_one_a_key"),
            models.UniqueConstraint(fields=["table", "seat"], name="table_seat_one_a_seat"),
        ]

    def __str__(self) -> str:
        return self.key


class Move(models.Model):
    """An accepted move. Rows are added and never changed."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="moves")
    number = models.PositiveIntegerField()
    seat = models.CharField(max_length=8)
    stand_in = models.CharField(max_length=12, blank=True, help_text="Who played it for the seat (代行).")
    client_id = models.UUIDField()
    move = models.BinaryField()
    events = models.BinaryField()
    restores = models.PositiveIntegerField(
        null=True, help_text="For an undo or a rewind: the newest move that stands after it, 0 for none."
    )
    played_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="move_one_a_number"),
            models.UniqueConstraint(fields=["table", "seat", "client_id"], name="move_applied_once"),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.seat}"


class Handout(models.Model):
    """A handout (HO): what everybody may read of it, and what only its holders may until it is revealed."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="handouts")
    title = models.CharField(_("title"), max_length=60)
    text = models.TextField(_("for everybody"), max_length=4000, blank=True)
    secret = models.TextField(_("only for who gets it"), max_length=4000, blank=True)
    revealed_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.title


class Notice(models.Model):
    """A moment at which every phone shows the same card (秘匿の同報), whatever it holds for whom."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="notices")
    at = models.DateTimeField(auto_now_add=True)
    read_by = models.ManyToManyField(Seat, blank=True, related_name="+")

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.session} {self.at:%H:%M}"


class HandoutCopy(models.Model):
    """A seat's copy of a handout; laid aside until it goes out with a notice."""

    handout = models.ForeignKey(Handout, on_delete=models.CASCADE, related_name="copies")
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="handout_copies")
    notice = models.ForeignKey(Notice, null=True, blank=True, on_delete=models.CASCADE, related_name="copies")

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["handout", "seat"], name="handout_one_copy_a_seat")]

    def __str__(self) -> str:
        return f"{self.handout} → {self.seat}"


class SceneNote(models.Model):
    """What the GM wants at hand in a scene; nobody else reads it."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="scene_notes")
    title = models.CharField(_("scene"), max_length=60)
    text = models.TextField(_("notes"), max_length=4000, blank=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.title


class PreparedCheck(models.Model):
    """A check that the GM expects: one tap fills the call."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="prepared_checks")
    label = models.CharField(_("what for"), max_length=80)
    difficulty = models.PositiveSmallIntegerField(
        _("difficulty"), default=2, validators=[MaxValueValidator(5)]
    )
    chain = models.BooleanField(_("chain check"), default=False)
    tool_missing = models.BooleanField(_("needs a tool nobody has"), default=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=Q(difficulty__lte=5), name="prepared_check_difficulty")
        ]

    def __str__(self) -> str:
        return f"{self.label} ({self.difficulty})"


class LibraryNpc(models.Model):
    """An NPC that a GM keeps at hand; what is left empty is as its rank has it when it comes to a table."""

    owner = models.ForeignKey("companion.Person", on_delete=models.CASCADE, related_name="npcs")
    campaign = models.ForeignKey(
        Campaign,
        verbose_name=_("campaign"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="npcs",
    )
    name = models.CharField(_("name"), max_length=40)
    rank = models.PositiveSmallIntegerField(_("rank"))
    hp_max = models.PositiveSmallIntegerField("HP", null=True, blank=True)
    suits = models.CharField(_("favoured suits"), max_length=3, blank=True)
    skills = models.TextField(_("skills"), blank=True, help_text="One a line.")
    weapon = models.PositiveSmallIntegerField(_("weapon"), null=True, blank=True)
    armour = models.PositiveSmallIntegerField(_("armour"), null=True, blank=True)
    hidden = models.BooleanField(_("Players do not see its HP"), default=False)
    notes = models.TextField(_("special abilities and notes"), blank=True, max_length=2000)

    class Meta:
        ordering = ["rank", "name", "pk"]
        verbose_name = "library NPC"
        constraints = [
            models.CheckConstraint(condition=Q(rank__range=(1, 6)), name="library_npc_rank"),
            models.CheckConstraint(
                condition=Q(hp_max=None) | Q(hp_max__range=(1, 99)), name="library_npc_hp"
            ),
            models.CheckConstraint(condition=Q(weapon=None) | Q(weapon__lte=8), name="library_npc_weapon"),
            models.CheckConstraint(condition=Q(armour=None) | Q(armour__lte=8), name="library_npc_armour"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def skill_names(self) -> list[str]:
        """The skills as a list."""
        return self.skills.splitlines()


class TableNpc(models.Model):
    """Which NPC at a table came out of the library: its notes are the GM's alone and no part of the table."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="npcs")
    npc = models.CharField(max_length=8, help_text="n1, n2 …")
    name = models.CharField(max_length=40, help_text="Its name at the table.")
    library = models.ForeignKey(LibraryNpc, on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["table", "npc"], name="table_npc_one_an_id")]

    def __str__(self) -> str:
        return f"{self.npc} {self.name}"


class Tab(models.TextChoices):
    MAIN = "main", _("Main")
    INFO = "info", _("Info")
    OTHER = "other", _("Aside")
    WHISPER = "whisper", _("Whispers")


class Message(models.Model):
    """Something written in the evening's chat. Its id is random: nobody can count what others whisper."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="messages")
    tab = models.CharField(max_length=7, choices=Tab)
    author = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="messages")
    client_id = models.UUIDField(help_text="The device's own id of it: sent again, it is still one message.")
    spoken_as = models.CharField(max_length=40, help_text="Who speaks: a character, an NPC, the seat's name.")
    text = models.TextField(max_length=1000, blank=True)
    to = models.ManyToManyField(Seat, blank=True, related_name="whispers", help_text="Of a whisper alone.")
    open_to_gm = models.BooleanField(default=False, help_text="The GM could read whispers when it was sent.")
    changes = models.JSONField(default=list, blank=True, help_text="What :HP-1 did: [name, before, after].")
    sent_at = models.DateTimeField(default=timezone.now)
    edited_at = models.DateTimeField(null=True, blank=True)
    deleted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["sent_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["author", "client_id"], name="message_sent_once"),
        ]
        indexes = [models.Index(fields=["session", "tab", "sent_at"], name="message_by_tab")]

    def __str__(self) -> str:
        return f"{self.tab} {self.pk}"
