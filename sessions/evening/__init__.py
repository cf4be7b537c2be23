"""The session around the tables: its seats, people and handouts, and the notification of its open pages."""
