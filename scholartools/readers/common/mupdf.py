"""The library that reads PDF files and draws pictures. The only module that imports pymupdf."""

from __future__ import annotations

import sys
from types import ModuleType

# Packages that `import pymupdf` pulls in where they are installed (a layout model, onnxruntime, numpy): five times its
# own import time, and nothing of theirs is used here.
_NOT_NEEDED = ("pymupdf.layout", "pymupdf4llm")


def import_mupdf() -> ModuleType:
    """The library, which keeps its complaints about damaged files to itself."""
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
    """The name and version of the library: part of the signature of whatever it read or drew."""
    return f"pymupdf-{import_mupdf().VersionBind}"
