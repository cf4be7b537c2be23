"""The events that others may listen to without being known here."""

from django.dispatch import Signal

#: A checklist's ticks or its confirmation changed; sent with ``checklist=…`` inside the transaction.
checklist_changed = Signal()
#: A character has another face; sent with ``character=…`` inside the transaction.
face_changed = Signal()
