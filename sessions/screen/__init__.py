"""The contents of open pages, and the websocket that keeps them up to date."""
