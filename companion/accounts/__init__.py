"""Optional accounts: django-allauth with our own pages."""
