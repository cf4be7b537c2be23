"""The sheet: a character, its skills and items, and its further faces 表情差分."""

from __future__ import annotations

from functools import cached_property
from itertools import combinations

from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from characters import rules
from companion.cards import SUITS
from companion.models import Person, Picture, PicturedQuerySet
from companion.names.fields import LineField

SUIT_SETS = [
    "".join(suits) for count in range(rules.SUITS_AT_MOST + 1) for suits in combinations(SUITS, count)
]


class Emblem(models.TextChoices):
    """A symbol shown in place of a portrait, from our own drawing characters/emblems.svg."""

    RING = "ring", _("Serpent")
    LAMP = "lamp", _("Lamp")
    KEY = "key", pgettext_lazy("emblem", "Key")
    MASK = "mask", _("Mask")
    ANCHOR = "anchor", _("Anchor")
    BIRD = "bird", _("Bird")
    HAMMER = "hammer", _("Hammer")
    BOOK = "book", _("Book")
    THREAD = "thread", _("Thread")


class CharacterQuerySet(models.QuerySet["Character"]):
    def with_rows(self) -> CharacterQuerySet:
        """Prefetch skills, items, the record of creation, and the portrait without its content."""
        rows = self.select_related("creation", "portrait").defer("portrait__content")
        return rows.prefetch_related("skills", "items", "creation__draws")


class Character(models.Model):
    """A character. It is a draft until its creation is finished."""

    class Status(models.TextChoices):
        DRAFT = "draft", _("Draft")
        DONE = "done", _("Ready to play")

    class Visibility(models.TextChoices):
        PRIVATE = "private", _("Only me")
        CAMPAIGN = "campaign", _("My campaigns")
        PUBLIC = "public", _("Everybody")

    owner = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="characters")
    name = LineField(max_length=rules.NAME_LENGTH, blank=True)
    concept = LineField(max_length=rules.CONCEPT_LENGTH, blank=True)
    background = models.TextField(max_length=rules.BACKGROUND_LENGTH, blank=True)
    suits = models.CharField(max_length=3, blank=True, help_text="Favoured suits: s, h, d, c in this order.")
    emblem = models.CharField(max_length=8, choices=Emblem.choices, default=Emblem.RING)
    portrait = models.OneToOneField(
        Picture, null=True, blank=True, editable=False, on_delete=models.SET_NULL, related_name="character"
    )
    hp_max = models.PositiveSmallIntegerField(default=1)
    hp = models.SmallIntegerField(default=1)
    status = models.CharField(max_length=5, choices=Status.choices, default=Status.DRAFT)
    visibility = models.CharField(max_length=8, choices=Visibility.choices, default=Visibility.PRIVATE)
    share_key = models.CharField(
        max_length=32, blank=True, editable=False, help_text="Opens the sheet to whoever has it."
    )
    edit_password = models.CharField(
        max_length=128, blank=True, editable=False, help_text="As a hash: who knows it may rewrite the sheet."
    )
    editors = models.ManyToManyField(
        "companion.Person",
        blank=True,
        editable=False,
        related_name="+",
        help_text="The people who gave that password.",
    )
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    objects = CharacterQuerySet.as_manager()

    class Meta:
        verbose_name = _("character")
        verbose_name_plural = _("characters")
        ordering = ["-changed_at", "-pk"]
        indexes = [models.Index(fields=["owner", "status"], name="character_of_owner")]
        constraints = [
            models.CheckConstraint(
                condition=Q(hp_max__range=(rules.HP_MAX[0], rules.HP_MAX[-1])), name="character_hp_max"
            ),
            models.CheckConstraint(
                condition=Q(hp__gte=rules.HP_LOWEST) & Q(hp__lte=F("hp_max")), name="character_hp"
            ),
            models.CheckConstraint(condition=Q(suits__in=SUIT_SETS), name="character_suits"),
            models.CheckConstraint(
                condition=Q(status="draft") | ~Q(name=""), name="character_done_has_a_name"
            ),
            models.CheckConstraint(
                condition=Q(visibility__in=["private", "campaign", "public"]), name="character_visibility"
            ),
            models.UniqueConstraint(
                fields=["share_key"], condition=~Q(share_key=""), name="character_share_key_once"
            ),
            models.CheckConstraint(
                condition=Q(status="done") | Q(visibility="private", share_key=""),
                name="character_draft_is_private",
            ),
        ]

    def __str__(self) -> str:
        return self.name or gettext("Nobody yet")

    def get_absolute_url(self) -> str:
        return reverse("characters:sheet", args=[self.pk])

    @property
    def is_done(self) -> bool:
        return self.status == self.Status.DONE

    @property
    def campaigns(self) -> list[str]:
        """Names of the campaigns that the character joined, newest first."""
        seats = sorted(self.seats.all(), key=lambda seat: seat.joined_at, reverse=True)
        return list(dict.fromkeys(seat.session.campaign.name for seat in seats if seat.session.campaign))

    @property
    def figures(self) -> rules.Allowance:
        """The figures that the rules of creation limit."""
        return rules.Allowance(self.hp_max, len(self.skills.all()), len(self.suits), len(self.special_items))

    @property
    def ca(self) -> int:
        """Character ability. Seats are ordered by it, lowest first, from the GM's left. [UC-1.6]"""
        return self.figures.ca

    @property
    def in_mortal_danger(self) -> bool:
        """True if the sheet shows a warning of death. [UC-10.3]"""
        return rules.in_mortal_danger(self.hp, self.hp_max)

    @property
    def hp_after_rest(self) -> int:
        return rules.hp_after_rest(self.hp, self.hp_max)

    @property
    def hand_limit(self) -> int:
        return max(self.hp, 0)

    @property
    def special_items(self) -> list[Item]:
        return [item for item in self.items.all() if item.special]

    @property
    def further_items(self) -> list[Item]:
        return [item for item in self.items.all() if not item.special]

    @property
    def armour(self) -> Item | None:
        """The armour with the highest value, the only one that counts."""
        return self._best(Item.ItemKind.ARMOUR)

    @property
    def shield(self) -> Item | None:
        return self._best(Item.ItemKind.SHIELD)

    @property
    def defence(self) -> int:
        """The value that armour and shield together add to a defence. [UC-7.3]"""
        armour, shield = (item.value if item else None for item in (self.armour, self.shield))
        return rules.defence(armour, shield)

    def _best(self, kind: str) -> Item | None:
        items = (item for item in self.items.all() if item.kind == kind)
        return max(items, key=lambda item: item.value, default=None)


class Skill(models.Model):
    """A skill 特技, in the order that the player chose."""

    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="skills")
    order = models.PositiveSmallIntegerField()
    name = LineField(max_length=rules.NAME_LENGTH)

    class Meta:
        verbose_name = _("skill")
        verbose_name_plural = _("skills")
        ordering = ["order"]
        constraints = [
            models.UniqueConstraint(fields=["character", "order"], name="skill_order_once"),
            models.CheckConstraint(condition=~Q(name=""), name="skill_has_a_name"),
        ]

    def __str__(self) -> str:
        return self.name


class Item(models.Model):
    """A weapon, a tool, armour or a shield. [UC-7]"""

    class ItemKind(models.TextChoices):
        TOOL = "tool", _("Tool")
        WEAPON = "weapon", _("Weapon")
        ARMOUR = "armour", _("Armour")
        SHIELD = "shield", _("Shield")

    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="items")
    kind = models.CharField(max_length=6, choices=ItemKind.choices)
    name = LineField(max_length=rules.NAME_LENGTH)
    table_value = models.PositiveSmallIntegerField(default=0)
    quality = models.PositiveSmallIntegerField(
        default=0, help_text="Tool value of a good weapon's or armour's making."
    )
    special = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("item")
        verbose_name_plural = _("items")
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="item_has_a_name"),
            models.CheckConstraint(
                condition=Q(kind__in=["tool", "weapon", "armour", "shield"]), name="item_kind"
            ),
            models.CheckConstraint(condition=Q(table_value__lte=4, quality__lte=4), name="item_values"),
            models.CheckConstraint(condition=~Q(kind="tool") | Q(quality=0), name="item_tool_has_no_quality"),
            models.CheckConstraint(
                condition=Q(special=False) | Q(kind="tool") | Q(table_value__lt=4) | Q(quality__lt=4),
                name="item_value_at_most_eight",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.value}"

    @cached_property
    def value(self) -> int:
        return rules.item_value(self.kind, self.table_value, self.quality, self.special)

    @property
    def why(self) -> str:
        """The value as a sum of labelled parts; "" if it is the table value alone."""
        parts = [gettext("table %(value)s") % {"value": self.table_value}]
        if self.quality:
            parts.append(gettext("quality %(value)s") % {"value": self.quality})
        if self.special and self.kind != self.ItemKind.TOOL:
            parts.append(gettext("special 1"))
        return " + ".join(parts) if len(parts) > 1 else ""

    @property
    def rule(self) -> str:
        """The ids of the rules that determine the value."""
        used = ["UC-7.4"] * bool(self.quality) + ["UC-1.4"] * self.special
        return ", ".join(used or ["UC-7.1"])


class FacePicture(models.Model):
    """A further picture of a character, shown with its chat lines under a label that its player writes."""

    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="faces")
    order = models.PositiveSmallIntegerField()
    label = LineField(max_length=rules.LABEL_LENGTH)
    picture = models.OneToOneField(
        Picture, editable=False, on_delete=models.CASCADE, related_name="labelled_face"
    )

    objects = PicturedQuerySet.as_manager()

    class Meta:
        verbose_name = _("face")
        verbose_name_plural = _("faces")
        ordering = ["order", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["character", "label"], name="face_label_once"),
            models.CheckConstraint(condition=~Q(label=""), name="face_has_a_label"),
        ]

    def __str__(self) -> str:
        return self.label
