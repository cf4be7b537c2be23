"""Conversion of plain sheets to the formats of other tools, and back.

Pure functions: no database, no request, no clock. ``docs/formats.md`` describes each format.
"""
