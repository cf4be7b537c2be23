#!/usr/bin/env python
"""Takujō's command line in a checkout."""

from companion.command_line import main

if __name__ == "__main__":
    main()
