"""Django's PostgreSQL, which says within moments that it is away, and notices at once that it is back."""
