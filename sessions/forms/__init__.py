"""The evening's forms: fields and their hints."""
