"""Rendering of Jinja templates, compiled to one Python function for each interface language."""

from companion.drawing.engine import ENGINE, render_first, renderer_of
from companion.drawing.values import NOTHING

__all__ = ["ENGINE", "NOTHING", "render_first", "renderer_of"]
