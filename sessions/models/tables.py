"""The tables of a session, with their seats, moves and endings."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from companion import shared_time
from companion.models import Picture
from companion.names.fields import LineField
from companion.shared_time import SharedTimeField
from sessions.engine.registry import registry
from sessions.models.evening import Session
from sessions.models.seats import Seat


class Table(models.Model):
    """One running module inside a session. Its snapshot changes only by a move."""

    #: The shortest clock in seconds of a slow table, which goes on without open pages (table/slow_tables.py).
    DAY = 24 * 60 * 60

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="tables")
    module = models.SlugField(max_length=32)
    options = models.JSONField(default=dict)
    opening_seats = models.JSONField(default=list, help_text="The module's seats when the table opened.")
    opened_by = models.ForeignKey(Seat, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    rematch_of = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="rematch"
    )
    secret = models.CharField(max_length=64, editable=False)
    commitment = models.CharField(max_length=64, editable=False)
    shares = models.JSONField(
        default=dict, editable=False, help_text="The parts of the secret, if phones gave some."
    )
    daily = models.DateField(
        null=True, blank=True, help_text="The day whose shuffle it has, the same for everybody."
    )
    clock = models.PositiveIntegerField(
        default=0, help_text="Seconds for an answer, then a bot gives it (table/clock.py); 0: no clock."
    )
    version = models.PositiveIntegerField(default=0)
    snapshot = models.BinaryField()
    before = models.BinaryField(
        default=b"", help_text="The snapshot before the newest move that stands; empty as dealt."
    )
    veiled_until = models.DateTimeField(
        null=True, editable=False, help_text="Until when what the newest move drew lies face down."
    )
    told = models.BinaryField(null=True, help_text="Of a thinned night: what the report tells of its moves.")
    opened_at = SharedTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("table")
        verbose_name_plural = _("tables")
        ordering = ["-opened_at", "-pk"]
        # Every server process polls for the slow tables that run.
        indexes = [
            models.Index(
                fields=["clock"], condition=Q(ended_at=None, clock__gte=24 * 60 * 60), name="table_slow"
            )
        ]

    def __str__(self) -> str:
        return f"{self.module} #{self.pk}"

    def get_absolute_url(self) -> str:
        return reverse("play:table", args=[self.pk])

    @property
    def own_secret(self) -> str:
        """The server's own part of the secret, whose fingerprint is published; all of it without shares."""
        return str(self.shares.get("secret", self.secret))

    @property
    def has_its_game(self) -> bool:
        """True if its game is registered; without it only the table's database rows can be read."""
        return self.module in registry()

    @property
    def is_slow(self) -> bool:
        """True if it is played over days."""
        return self.clock >= self.DAY

    @property
    def is_thinned(self) -> bool:
        """True if its moves were deleted, and only their digest for the report is kept."""
        return self.told is not None

    @cached_property
    def sitters(self) -> list[TableSeat]:
        """Its seats in order with their players, cached at the first access."""
        rows = self.table_seats.select_related("seat__character__portrait")
        return list(rows.defer("seat__character__background", "seat__character__portrait__content"))

    @cached_property
    def npc_pictures(self) -> dict[str, Picture]:
        """The pictures of NPCs by their names at this table, cached at the first access."""
        if not registry()[self.module].gm:
            return {}
        rows = self.npcs.with_pictures()
        return {row.name: row.shown_picture for row in rows if row.shown_picture}

    def prefetch_for_display(self) -> None:
        """Load all that its screens show besides the game: they are rendered without database access."""
        _asked_for = self.sitters, self.npc_pictures

    def sitter(self, seat: Seat) -> TableSeat | None:
        """Return the table seat that a seat of the session holds, None for a spectator."""
        return next((sits for sits in self.sitters if sits.seat_id == seat.pk), None)


class Bot(models.TextChoices):
    """A bot's way of playing (engine/bots.py)."""

    RANDOM = "random", _("Easy-going bot")
    STEADY = "steady", _("Steady bot")
    STRONG = "strong", _("Strong bot")
    SCRIPT = "script", _("Script")


#: The bots of a table's seats: an animal for each, with a face in static/img/bots.svg.
BOTS = {
    "gm": _("GM"),
    "p1": _("Fox"),
    "p2": _("Owl"),
    "p3": _("Cat"),
    "p4": _("Bear"),
    "p5": _("Rabbit"),
    "p6": _("Frog"),
    "p7": _("Penguin"),
    "p8": _("Pig"),
}


class TableSeat(models.Model):
    """A seat of the game at a table, and the seat of the session that plays it."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="table_seats")
    seat = models.ForeignKey(
        Seat,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="table_seats",
        help_text="Empty: nobody's, a bot sits there.",
    )
    key = models.CharField(max_length=8, help_text="gm, p1 … p8")
    bot = models.CharField(max_length=6, blank=True, choices=Bot, help_text="The bot that plays it now.")
    called_after = models.PositiveIntegerField(
        null=True,
        editable=False,
        help_text="The seat's own newest move when its person was called to their turn (slow_tables.py).",
    )

    class Meta:
        verbose_name = _("table seat")
        verbose_name_plural = _("table seats")
        ordering = ["key"]
        constraints = [
            models.UniqueConstraint(fields=["table", "key"], name="table_seat_one_a_key"),
            models.UniqueConstraint(fields=["table", "seat"], name="table_seat_one_a_seat"),
            models.CheckConstraint(
                condition=Q(seat__isnull=False) | ~Q(bot=""), name="table_seat_has_a_player"
            ),
        ]

    def __str__(self) -> str:
        return self.key

    @property
    def name(self) -> str:
        """The name of the player or the bot that everybody sees."""
        return self.seat.name if self.seat else str(BOTS[self.key])

    @staticmethod
    def of_session(session: Session) -> list[TableSeat]:
        """Return the seats at all tables of a session, held by its ``sitters``; cached like these."""

        def read() -> list[TableSeat]:
            sitters = {seat.pk: seat for seat in session.sitters}
            found = list(TableSeat.objects.filter(table__session=session))
            for sits in found:
                if sits.seat_id in sitters:  # one may be newer than these
                    sits.seat = sitters[sits.seat_id]
            return found

        return session.read_once("seats at tables", read)


class Move(models.Model):
    """An accepted move. Rows are added and never changed."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="moves")
    number = models.PositiveIntegerField()
    seat = models.CharField(max_length=8)
    stand_in = LineField(max_length=12, blank=True, help_text="Who played it for the seat (代行).")
    bot = models.CharField(max_length=6, blank=True, choices=Bot, help_text="The bot that played it.")
    client_id = models.UUIDField()
    move = models.BinaryField()
    events = models.BinaryField()
    restores = models.PositiveIntegerField(
        null=True, help_text="For an undo or a rewind: the newest move that stands after it, 0 for none."
    )
    unseen = models.BooleanField(
        default=False,
        help_text="For an undo or a rewind: a veil lay over the newest move; nobody was shown what it drew.",
    )
    played_at = SharedTimeField(default=shared_time.now, editable=False)

    class Meta:
        verbose_name = _("move")
        verbose_name_plural = _("moves")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="move_one_a_number"),
            models.UniqueConstraint(fields=["table", "seat", "client_id"], name="move_applied_once"),
        ]
        indexes = [
            # For the undos and rewinds of a table without its other moves, and for its log by time.
            models.Index(
                fields=["table", "number", "restores"],
                condition=Q(restores__isnull=False),
                name="move_taking_back",
            ),
            models.Index(fields=["table", "played_at"], name="move_by_time"),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.seat}"


class Milestone(models.Model):
    """The state of a table after the first ``number`` rows of its log, from which a replay can start.

    It is only a cache: the log is decisive, and the proof of a table compares the two. No page and no admin
    shows it.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="milestones")
    number = models.PositiveIntegerField()
    snapshot = models.BinaryField(help_text="Packed.")

    class Meta:
        verbose_name = _("milestone")
        verbose_name_plural = _("milestones")
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["table", "number"], name="milestone_one_a_number")]

    def __str__(self) -> str:
        return str(self.number)


class Ending(models.Model):
    """The result of an ended table, stored so that statistics over many games need not load any states.

    It follows from the table's snapshot and log, and is kept when the log of a thinned table is deleted.
    """

    table = models.OneToOneField(Table, on_delete=models.CASCADE, related_name="ending")
    version = models.PositiveIntegerField(help_text="The table's, when this was found out.")
    winners = models.JSONField(null=True, help_text="Their seats; null if the game was stopped.")
    marks = models.BinaryField(help_text="What there is to remember (telling.marks of the game).")

    class Meta:
        verbose_name = _("ending")
        verbose_name_plural = _("endings")

    def __str__(self) -> str:
        return f"ending of {self.table_id}"
