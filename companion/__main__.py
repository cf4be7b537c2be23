"""``python -m companion``: Takujō's command line in an installation."""

from companion.command_line import main

main()
