"""Drawing: templates in Jinja's language, written as Python for each language of the readers."""

from companion.drawing.engine import ENGINE, draw, drawing
from companion.drawing.values import NOTHING

__all__ = ["ENGINE", "NOTHING", "draw", "drawing"]
