"""Rendering of Jinja templates, compiled to one Python function for each interface language."""

from companion.rendering.compiler import Lookup, Renderer
from companion.rendering.engine import ENGINE, render_first, renderer_of
from companion.rendering.source import NOTHING

__all__ = ["ENGINE", "NOTHING", "Lookup", "Renderer", "render_first", "renderer_of"]
