"""The chat of an evening."""
