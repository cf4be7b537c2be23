"""A host's view of a running server: health, numbers, logs, reports of errors."""
