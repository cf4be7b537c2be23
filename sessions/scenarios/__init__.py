"""Scenarios: prepared by their author, exported as files, and put on stage by a tap at the table."""
