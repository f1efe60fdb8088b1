"""Functions that a Python program passes as tasks: check their arguments, and name them in errors."""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scholartools.errors import ScholartoolsError, UsageFault
from scholartools.pipeline.outcome import SeveralRecords, Transform, print_traceback, refuse_nan
from scholartools.records import Record

if TYPE_CHECKING:
    from scholartools.llm.engine import Engine


def check_transform(task: Callable) -> None:
    """Reject a task that cannot be called with a single record.

    Raises:
        UsageFault: it is not a function, is a coroutine function, or takes other arguments.
    """
    if _is_coroutine_function(task):
        raise UsageFault(f"run: {_call_name(task)} asks a model: give it to ask(records, task, settings)")
    _check_arguments("run", task, ["a record"])


def check_ask(task: Callable | None, caller: str) -> Callable:
    """Return the task; reject one that cannot be called with an engine and a record.

    Args:
        task: task that calls a model.
        caller: name of the function that received the task, for messages.

    Raises:
        UsageFault: it is not a function, or takes other arguments.
    """
    if task is None:
        raise UsageFault(f"{caller}: no task is given: {caller}(records, task, settings)")
    asks_none = not _is_coroutine_function(task) and _fits(task, 1)
    hint = "; if it asks no model, give it to run(records, task)" if asks_none else ""
    _check_arguments(caller, task, ["an engine", "a record"], hint)
    return task


def _check_arguments(caller: str, task: Callable, wanted: list[str], hint: str = "") -> None:
    if not callable(task):
        raise UsageFault(f"{caller}: the task is of the type {type(task).__name__}, no function")
    if not _fits(task, len(wanted)):
        raise UsageFault(f"{caller}: {_call_name(task)} cannot be called with {' and '.join(wanted)} alone{hint}")


def _fits(task: Callable, n_arguments: int) -> bool:
    """Whether a function accepts so many arguments; True if Python cannot tell, as for some functions in C."""
    try:
        inspect.signature(innermost(task))
    except (TypeError, ValueError):
        return True
    try:
        inspect.signature(task).bind(*range(n_arguments))
    except (TypeError, ValueError):  # ValueError: a partial sets an unknown argument
        return False
    return True


def _is_coroutine_function(task: Callable) -> bool:
    """Whether a function, or the call method of an object, is a coroutine function."""
    call = getattr(type(task), "__call__", None)  # noqa: B004  the kind of the method is what counts
    return inspect.iscoroutinefunction(task) or inspect.iscoroutinefunction(call)


@dataclass(frozen=True)
class OwnTransform:
    """Wrapper of a task without a model that names the task in errors; it can be pickled if the task can."""

    task: Transform

    def __call__(self, record: Record) -> Record | SeveralRecords:
        """Call the task.

        Raises:
            ScholartoolsError: raised by the task; of kind "function" for any other exception or an invalid result.
        """
        try:
            made = self.task(record)
        except (Exception, SystemExit) as error:
            raise _own_fault(self.task, error) from error
        return _check_result(self.task, record, made)


@dataclass(frozen=True)
class OwnAsk:
    """Wrapper of a task with a model that names the task in errors."""

    task: Callable[[Engine, Record], Awaitable[Record]]

    async def __call__(self, engine: Engine, record: Record) -> Record:
        """Call the task; raises like :class:`OwnTransform`."""
        try:
            promised = self.task(engine, record)
            made = await promised if inspect.isawaitable(promised) else promised
        except (Exception, SystemExit, asyncio.CancelledError) as error:
            raise _own_fault(self.task, error) from error
        return _check_result(self.task, record, made)


def _own_fault(task: Callable, error: BaseException) -> BaseException:
    """Convert an exception of a task to an error that names it; errors of scholartools are returned unchanged."""
    if isinstance(error, (ScholartoolsError, MemoryError)) or _is_ours(task):
        return error
    print_traceback(error)
    return _refuse(task, f"raised {type(error).__name__}: {error}")


def _check_result(task: Callable, record: Record, made: Any) -> Any:
    """Return the result of a task if it is a record of finite numbers, else raise."""
    if not isinstance(made, (dict, SeveralRecords)):
        what = "None" if made is None else f"a value of the type {type(made).__name__}"
        raise _refuse(task, f"returned {what}, not a record (a dict)")
    if isinstance(made, dict) and not _is_ours(task):
        try:
            refuse_nan(record, made)
        except ValueError as error:
            raise _refuse(task, f"returned no record: {error}") from None
    return made


def _refuse(task: Callable, reason: str) -> ScholartoolsError:
    return ScholartoolsError(f"the given function {_call_name(task)} {reason}", kind="function")


def _is_ours(task: Callable) -> bool:
    return str(getattr(innermost(task), "__module__", "")).partition(".")[0] == __name__.partition(".")[0]


def _call_name(task: Callable) -> str:
    """Name of the task in the program: "label_mine", or "scholartools.tasks.facets.label"."""
    task = innermost(task)
    name = getattr(task, "__qualname__", type(task).__qualname__)
    return f"{task.__module__}.{name}" if _is_ours(task) else name


def innermost(task: Callable) -> Callable:
    """Function wrapped by partials."""
    while isinstance(task, functools.partial):
        task = task.func
    return task
