"""Accounts for those who want one: django-allauth's rules and limits behind pages of our own."""
