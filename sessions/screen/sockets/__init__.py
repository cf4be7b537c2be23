"""The websockets of open pages: they receive moves and send changed HTML. One file for each kind of page."""
