"""The evening's pages and verbs on the web: parse, find the person, call a service, answer."""
