"""A visitor who asks for much waits alone: requests stand in line before they get a thread."""
