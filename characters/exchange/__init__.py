"""Conversion of plain sheets to the formats of other tools, and back.

Pure functions: no database, no request, no clock. ``docs/formats.md`` describes each format. A reader that
refuses data raises ``UnreadableSheet``, with one of the codes that its docstring names as refusals.
"""
