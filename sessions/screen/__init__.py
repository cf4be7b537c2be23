"""What an open page shows, and the websocket that keeps it up to date."""
