"""The chat of a session."""
