"""The evening's pages and verbs on the web: parse, ask who it is, call a service, answer."""
