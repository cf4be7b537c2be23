"""The signals that other apps may receive."""

from django.dispatch import Signal

#: A checklist's ticks or its confirmation changed; sent with ``checklist=…`` inside the transaction.
checklist_changed = Signal()
#: A character's portrait, emblem or faces changed; sent with ``character=…`` inside the transaction.
face_changed = Signal()
