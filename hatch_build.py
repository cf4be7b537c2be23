"""Compiles the catalogues before they go into a wheel; see ``[tool.hatch]`` in ``pyproject.toml``."""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CatalogueHook(BuildHookInterface):  # type: ignore[type-arg]
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write a .mo beside each .po."""
        sys.path.insert(0, self.root)
        from companion.wording.catalogues import catalogues, compile_catalogue

        for po in catalogues(Path(self.root)):
            compile_catalogue(po)
