"""Fallbacks for services that are away for a while: Redis as cache and channel layer, and PostgreSQL."""
