"""Who asks for much waits for themselves: requests stand in line before they get a thread."""
