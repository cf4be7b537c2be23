"""``python -m companion``: Takujō's command line where it is installed."""

from companion.command_line import main

main()
