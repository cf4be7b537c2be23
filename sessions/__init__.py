"""Sessions and their live tables."""
