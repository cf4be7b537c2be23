"""The product, where games run into an endless loop at certain words of a move."""

from __future__ import annotations

import time
from pathlib import Path

from companion.asgi import application
