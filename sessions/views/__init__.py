"""The session's views: parse the request, find the person, call a service, respond."""
