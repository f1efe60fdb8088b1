"""The library that reads PDF files and draws pictures. The only module that imports pymupdf."""

from __future__ import annotations

import sys
from types import ModuleType

# Optional packages that `import pymupdf` also imports if they are installed (a layout model with onnxruntime and
# numpy): they take five times its own import time and are not used here.
_NOT_NEEDED = ("pymupdf.layout", "pymupdf4llm")


def import_mupdf() -> ModuleType:
    """Import pymupdf, with its messages about damaged files switched off."""
    if "pymupdf" not in sys.modules:
        blocked = [name for name in _NOT_NEEDED if name not in sys.modules]
        for name in blocked:
            sys.modules[name] = None  # type: ignore[assignment]  # the documented way to make an import fail
        try:
            import pymupdf
        finally:
            for name in blocked:
                del sys.modules[name]
    import pymupdf

    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    return pymupdf


def library_version() -> str:
    """Name and version of the library, for the signatures of results that depend on it."""
    return f"pymupdf-{import_mupdf().VersionBind}"
