"""Rendering of Jinja templates, compiled to one Python function for each interface language."""

from companion.drawing.engine import ENGINE, draw, drawing
from companion.drawing.values import NOTHING

__all__ = ["ENGINE", "NOTHING", "draw", "drawing"]
