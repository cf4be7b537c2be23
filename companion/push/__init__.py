"""Notifications by Web Push: straight to the push service of a person's browser, by nobody's account."""
