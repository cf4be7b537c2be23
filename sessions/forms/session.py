"""Forms to open, prepare and join a session, and the form field for pictures."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.db import models
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from companion import names
from companion.files import gallery, pictures
from companion.names.fields import LineFormField
from sessions.evening import handouts
from sessions.evening.refusals import Refused, refusal_sentence
from sessions.models import Campaign, Handout, Limit, PreparedCheck, Role, SceneNote, Session, SharedClock
from sessions.models.evening import CLOCK_MINUTES, CLOCK_SEGMENTS


class PictureField(forms.FileField):
    """An uploaded picture, encoded again, by default for a large screen; None if none was sent."""

    def __init__(self, shape: pictures.Shape = pictures.SCENE, **kwargs: Any) -> None:
        self.shape = shape
        widget = forms.FileInput(attrs={"accept": "image/*"})
        super().__init__(label=_("Picture"), required=False, widget=widget, **kwargs)

    def clean(self, data: Any, initial: Any = None) -> pictures.EncodedPicture | None:
        sent = super().clean(data, initial)
        if not sent:
            return None
        try:
            return pictures.rewritten(sent.read(), self.shape)
        except pictures.PictureRefused as refused:
            raise ValidationError(gallery.SENTENCES[refused.code]) from refused


class CampaignForm(forms.ModelForm):
    class Meta:
        model = Campaign
        fields = ["name", "jokers"]


class SessionForm(forms.ModelForm):
    class Meta:
        model = Session
        fields = ["title"]


class LimitForm(forms.ModelForm):
    prefix = "limit"

    class Meta:
        model = Limit
        fields = ["words", "kind"]
        widgets = {"words": forms.TextInput({"autocomplete": "off"})}


class SharedClockForm(forms.ModelForm):
    """A clock that everybody sees; ``count`` is its number of segments or of minutes (``kind``)."""

    kind = forms.ChoiceField(choices=[("segments", _("segments")), ("minutes", _("minutes"))])
    count = forms.IntegerField()

    class Meta:
        model = SharedClock
        fields = ["name"]

    def clean(self) -> dict[str, Any]:
        said: dict[str, Any] = super().clean() or self.cleaned_data
        kind, count = said.get("kind"), said.get("count")
        if kind and count is not None:
            least, most = CLOCK_SEGMENTS if kind == "segments" else CLOCK_MINUTES
            if not least <= count <= most:
                self.add_error("count", _("From %(least)s to %(most)s.") % {"least": least, "most": most})
            elif kind == "segments":
                self.instance.segments = count
            else:
                self.instance.left = timedelta(minutes=count)
        return said


class RecapForm(forms.Form):
    text = forms.CharField(
        label=_("What everybody reads"),
        max_length=2000,
        widget=forms.Textarea({"rows": 10}),
    )


class JoinForm(forms.Form):
    """The form of a newcomer: a display name, and the role, which is player by default."""

    name = LineFormField(
        label=_("Display name"),
        max_length=12,
        widget=forms.TextInput({"autocomplete": "nickname", "spellcheck": "false", "enterkeyhint": "go"}),
    )
    role = forms.ChoiceField(
        choices=[(Role.PLAYER, _("Play")), (Role.SPECTATOR, _("Watch"))], initial=Role.PLAYER
    )

    def refuse(self, refusal: Refused) -> None:
        """Add the reason why the seat was not taken, and fill in a free name if there is one."""
        wish = self.cleaned_data
        self.data = {**wish, "name": refusal.details.get("suggestion", wish["name"])}
        self.add_error("name", refusal_sentence(refusal))


class RewindForm(forms.Form):
    """The GM's reason to rewind a table, and the version of the table that the GM saw."""

    reason = LineFormField(
        label=_("Reason (you may leave it out)"),
        max_length=80,
        required=False,
        widget=forms.TextInput({"autocomplete": "off"}),
    )
    version = forms.IntegerField(min_value=0, max_value=2**31 - 1, widget=forms.HiddenInput)


class PicturedForm(forms.ModelForm):
    """A prepared thing with a picture: a new one, the one it has, or none (``without`` removes it)."""

    picture = PictureField()
    without = forms.BooleanField(label=_("Without the picture"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.instance.picture_id:
            del self.fields["without"]


def prepared_form(model: type[models.Model]) -> type[forms.ModelForm]:
    form = forms.ModelForm if model is PreparedCheck else PicturedForm
    return forms.modelform_factory(model, form=form, exclude=["campaign", "revealed_at"])


#: The end of a sentence, or of a line.
_SENTENCE_END = re.compile(r"[。！？\n]|[.!?](?=\s|$)")


class WrittenForm(forms.ModelForm):
    """A prepared thing that is written during play: its first words may serve as its title."""

    untitled: str | Promise = ""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "title" in self.fields:
            self.fields["title"].required = False

    def clean(self) -> dict[str, Any]:
        """Fill in a missing title from the public text, never from the secret."""
        written: dict[str, Any] = super().clean() or self.cleaned_data
        if "title" not in self.fields or written.get("title") or self.errors:
            return written
        texts = (written.get(name) or "" for name in ("text", "secret"))
        if not any(map(names.clean_text, texts)) and not written.get("picture"):
            raise ValidationError(_("Write something first."))
        words = written.get("text") or written.get("caption", "")
        begins = names.clean(_SENTENCE_END.split(words.strip(), maxsplit=1)[0])
        written["title"] = begins[:40] or self.untitled
        return written


class WrittenHandoutForm(WrittenForm):
    """A handout with the seats that it is for: handed over at once (``now``), or laid out for them."""

    now = forms.BooleanField(required=False)
    picture = PictureField()
    untitled = _("Handout")

    class Meta:
        model = Handout
        fields = ["title", "text", "secret"]

    def __init__(self, *args: Any, session: Session, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["to"] = forms.ModelMultipleChoiceField(
            handouts.possible_receivers(session), required=False
        )

    def clean(self) -> dict[str, Any]:
        written = super().clean()
        if written.get("now") and not written.get("to") and "to" not in self.errors:
            self.add_error("to", _("Choose who gets it."))
        return written


class WrittenNoteForm(WrittenForm):
    """A scene note; with ``show``, everybody sees its picture at once."""

    show = forms.BooleanField(required=False)
    picture = PictureField()
    untitled = _("Scene")

    class Meta:
        model = SceneNote
        fields = ["title", "text", "caption"]

    def clean(self) -> dict[str, Any]:
        written = super().clean()
        if written.get("show") and not written.get("picture") and "picture" not in self.errors:
            self.add_error("picture", _("Please choose a picture."))
        return written


class WrittenCheckForm(forms.ModelForm):
    class Meta:
        model = PreparedCheck
        exclude = ["campaign"]  # noqa: DJ006 (a GM prepares all fields)


def written_form(
    kind: str, session: Session, data: QueryDict, files: MultiValueDict[str, UploadedFile]
) -> forms.ModelForm:
    if kind == "handouts":
        return WrittenHandoutForm(data, files, session=session)
    return WrittenNoteForm(data, files) if kind == "notes" else WrittenCheckForm(data)
