"""The contents of open pages, and the websockets that receive moves and keep the pages up to date."""
