"""Process many records: read them, run a task on each, write the results; for commands and for Python programs.

Python programs call :func:`run`, which runs a task over an iterable of records, :func:`ask`, which runs a task that
calls a model, and :func:`estimate`, which estimates the cost of such a run (docs/python.md). The commands run the same
code:

- ``iterate``: these three functions.
- ``own_task``: checks of the function that a Python program passes, and errors that name it.
- ``outcome``: the result of one record, or its error.
- ``session``: concurrent calls of a model for many records.
- ``stream``: the loop of a command without a model. ``asking``: the loop of a command with a model. ``waves``: its
  passes, if requests are answered later. ``fetching``: the loop of commands that call web services.
- ``parallel``: ordered processing with bounded read-ahead. ``workers/``: worker processes, local or on a cluster.
- ``bounds``: limits of time and memory per record. ``guard``: whether a script can start processes.
- ``progress``: the progress line on standard error.
"""

from scholartools.errors import ScholartoolsError
from scholartools.llm.settings import Settings
from scholartools.pipeline.iterate import Answers, ask, estimate, run
from scholartools.pipeline.workers import Limits

__all__ = ["Answers", "Limits", "ScholartoolsError", "Settings", "ask", "estimate", "run"]
