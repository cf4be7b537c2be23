"""Data that is kept, taken along, and let go: campaigns as files, people's own data, old nights."""
