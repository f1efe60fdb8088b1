"""Many records: read, worked on in order, written; for commands and for Python programs.

Python programs call :func:`run`, which runs a task over an iterable of records, :func:`ask`, which asks a model about
them, and :func:`estimate`, which tells what that would take (docs/python.md). The commands run the same code:

- ``iterate``: these three.
- ``own_task``: that the function of a Python program fits, and that its faults bear its name.
- ``outcome``: what becomes of a record, whether its work is done or fails.
- ``session``: the asking of a model about many records at once.
- ``stream``: the loop of a command without a model. ``asking``: that of a command with one. ``waves``: its passes,
  where questions are answered later. ``fetching``: the loop of commands that ask services on the web.
- ``parallel``: work in order, here or by workers, and reading ahead. ``workers/``: who works where that is not this
  process: processes of this machine.
- ``bounds``: what a record may take. ``guard``: whether a script may start processes.
- ``progress``: the progress line on standard error.
"""

from scholartools.errors import ScholartoolsError
from scholartools.llm.settings import Settings
from scholartools.pipeline.iterate import Answers, ask, estimate, run
from scholartools.pipeline.workers import Limits

__all__ = ["Answers", "Limits", "ScholartoolsError", "Settings", "ask", "estimate", "run"]
