"""What a host sees of a running server: health, numbers, logs, reports of errors."""
