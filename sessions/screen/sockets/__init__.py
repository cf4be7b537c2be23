"""The websockets of open pages: moves in, changed HTML out. One kind of page a file."""
