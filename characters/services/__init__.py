"""The services of characters. Each runs in one transaction.

A refused one changes nothing, and raises ``SheetRefused`` with one of the codes that its docstring names.
"""
