"""Sheets as other tools write and read them: text and bytes out of a plain sheet, and the way back.

Pure: no database, no request, no clock. ``docs/formats.md`` describes each format.
"""
