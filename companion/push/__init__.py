"""Notifications by Web Push, sent directly to the push service of a browser, without a provider's account."""
