"""Limits of requests: rate limits, quotas, and queues that are fair between visitors."""
