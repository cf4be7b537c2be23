"""Observability for the host: health endpoints, metrics, logs and error reports."""
