"""Django's PostgreSQL backend, which detects an outage within seconds, and its end at once."""
