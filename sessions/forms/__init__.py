"""The forms of sessions: fields and their hints."""
