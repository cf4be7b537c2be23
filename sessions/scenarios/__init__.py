"""Scenarios: prepared by their author, taken along as files, and put on by a tap at the table."""
