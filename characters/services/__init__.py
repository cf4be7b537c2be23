"""The services of characters. Each runs in one transaction; a refused one changes nothing."""
