"""Code of all commands: common options, groups of tasks, and the conversion of faults to an exit status."""

from __future__ import annotations

import builtins
import contextlib
import functools
import importlib
import keyword
import os
import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from scholartools import __version__
from scholartools.commands.shared.mistakes import refuse_misspelt_task, say_mistake
from scholartools.commands.shared.options import (
    COMMON,
    MODEL,
    OWN,
    Condition,
    Option,
    check_conditions,
    excludes,
    option_name,
    tell_variable,
    where,
    writes_no_other_table,
)
from scholartools.errors import InputFault, ModelFault, OutputFault, ScholartoolsError, Terminated, UsageFault
from scholartools.parameters import spell_parameters
from scholartools.terminal import Messages, discard_output
from scholartools.vocabulary import RECORD_FORMATS

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

EXIT_STATUS = {
    0: "the command processed every record without an error",
    1: "some records failed or are incomplete: the key `errors` of a failed or incomplete record says why",
    2: "the command line is wrong: an invalid option or argument, or an output file that cannot be opened",
    3: "the command cannot read the input, and processed no record",
    4: "the task needs `--model`; or the provider, API key, budget, cache or scheduler stopped the run; or a run with "
    "`--replay` lacks a stored reply",
    5: "the run with --batch or --batch-file still waits for replies of the model: run the command again later",
    6: "the run stopped early, because the output could not be written completely (for example, the disk is full) or "
    "because of an internal error",
    130: "the user interrupted the command with Ctrl-C (the status is 143 after the signal SIGTERM)",
    141: "the program that reads the output of the command through a pipe ended first",
}
# Status of a command that must be run again because the replies for which it waited have arrived (pipeline/waves.py).
_AGAIN = -5
SETTINGS: dict[str, Any] = {"max_content_width": 100}

# Headings of the help that follow the command's own options.
_SHARED_HEADINGS = (MODEL, COMMON)
# Width of the first column of the help; the help of a longer option starts on the next line.
_OPTION_WIDTH = 24
# Words of click's message on a value that is not a number.
_NUMBER_OF_CLICK = re.compile(r"not a valid (integer|float)(?: range)?\b")
_NUMBER_WORDS = {"integer": "not a whole number", "float": "not a number"}

Example = tuple[str, str]


class Edge(click.Command):
    """A click command that ends every run with a documented exit status and never with a traceback."""

    def main(self, args: Sequence[str] | None = None, *_: Any, **__: Any) -> Any:
        """Run and exit; shell completion is left to click."""
        name = str(self.name)
        if os.environ.get(f"_{name.replace('-', '_')}_COMPLETE".upper()):
            return super().main(prog_name=name)
        _occupy_closed_streams()
        with contextlib.redirect_stderr(Messages(sys.stderr)), spell_parameters(option_name):
            status = self._run(list(sys.argv[1:] if args is None else args))
        if status in (130, 141, 143):
            _silence_stdout()
        raise SystemExit(status)

    def _run(self, args: list[str]) -> int:
        # The search for plugins of pydantic, which we do not use, reads a file of every installed package.
        os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
        try:
            with self.make_context(str(self.name), args) as context:
                return self.invoke(context) or 0
        except click.exceptions.Exit as done:
            return done.exit_code
        except click.ClickException as error:
            at = getattr(error, "ctx", None)
            message = _NUMBER_OF_CLICK.sub(lambda hit: _NUMBER_WORDS[hit[1]], say_mistake(error, self))
            return self._say(message, 2, hint=f" (try {at.command_path if at else self.name} --help)")
        except ScholartoolsError as error:
            return self._say(error.reason, _exit_status(error))
        except (KeyboardInterrupt, click.Abort):
            return self._say("interrupted", 130)
        except Terminated:
            return self._say("terminated", 143)
        except BrokenPipeError:
            return 141
        except OSError as error:
            _silence_stdout()
            return self._say(f"{error.filename or 'standard output'}: {error.strerror}", 6)
        except Exception as error:
            if os.environ.get("ST_TRACEBACK"):
                raise
            return self._say(f"internal error, please report: {type(error).__name__}: {error}", 6)

    def _say(self, message: str, status: int, hint: str = "") -> int:
        print(f"{self.name}: {' '.join(message.split())}{hint}", file=sys.stderr)
        return status


class StreamCommand(Edge):
    """A command or task that reads records; its help groups options under headings and ends with examples."""

    def __init__(self, *args: Any, examples: Sequence[Example] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.examples = tuple(examples)

    def invoke(self, ctx: click.Context) -> Any:
        """Check the conditions of the options, and run; a termination signal ends the run in an orderly way."""
        from scholartools.interrupts import obey_signals  # not imported for --help: it takes 2% of its time

        with obey_signals():
            _refuse_cache_address()
            check_conditions(ctx)
            while (status := super().invoke(ctx)) == _AGAIN:
                pass
            return status

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the command's own options, then the model options, then the common options."""
        for heading, options in self.options_by_heading(ctx):
            with formatter.section(heading):
                rows = [record for option in options if (record := option.get_help_record(ctx))]
                formatter.write_dl(rows, col_max=_OPTION_WIDTH)

    def options_by_heading(self, ctx: click.Context) -> Iterator[tuple[str, list[click.Option]]]:
        """Yield the headings of the help, each with its options: the command's own headings first."""
        found: dict[str, list[click.Option]] = {OWN: []}
        for parameter in self.get_params(ctx):
            if isinstance(parameter, click.Option):
                found.setdefault(_option_heading(parameter), []).append(parameter)
        ordered = sorted(
            found, key=lambda heading: _SHARED_HEADINGS.index(heading) if heading in _SHARED_HEADINGS else -1
        )
        yield from ((heading, found[heading]) for heading in ordered if found[heading])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples."""
        _format_examples(self.examples, formatter)


class LateTasks(Mapping[str, click.Command]):
    """Tasks of a group by name; a task's module is imported on first access, which shortens the start-up."""

    def __init__(self, package: str, modules: Mapping[str, str]) -> None:
        """``modules``: module of each task within ``package``; the task is defined there under its own name."""
        self._package, self._modules = package, modules

    def __getitem__(self, name: str) -> click.Command:
        module = importlib.import_module(f"{self._package}.{self._modules[name]}")
        attribute = name.replace("-", "_")
        return getattr(module, f"{attribute}_" if keyword.iskeyword(name) or name in vars(builtins) else attribute)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)


class StreamGroup(Edge, click.Group):
    """A command whose first argument names a task; each task is a command with its own help.

    Attributes:
        summaries: one-line description of each task, for the help.
        noun: word for a task in the help.
        default: task that runs if the first argument does not name one.
        default_words: words that may be the first argument of the default task, besides files.
    """

    def __init__(
        self,
        *args: Any,
        summaries: Mapping[str, str],
        noun: str = "task",
        default: str | None = None,
        default_words: Collection[str] = (),
        examples: Sequence[Example] = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.summaries, self.noun, self.examples = summaries, noun, tuple(examples)
        self.default, self.default_words = default, default_words

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Insert the default task if no task is named; incomplete arguments are accepted during shell completion."""
        if ctx.resilient_parsing and (not args or args[0] in self.commands):
            return super().parse_args(ctx, args)
        if self.default and (not args or args[0] not in {*self.commands, "--help", "--version"}):
            if args and args[0] not in self.default_words:
                refuse_misspelt_task(args[0], [*self.commands], self.noun, ctx)
            args = [self.default, *args]
        if not args or (args[0].startswith("-") and args[0] not in {"--help", "--version"}):
            self.fail_without_task(ctx, *args[:1])
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """The task named by the first argument; click's usage error if there is none."""
        if args[0] not in self.commands:
            self.fail_without_task(ctx, args[0])
        return super().resolve_command(ctx, args)

    def fail_without_task(self, ctx: click.Context, argument: str | None = None) -> None:
        """Report that the first argument must name a task.

        Raises:
            UsageError: always.
        """
        given = f', not "{argument}"' if argument is not None else ""
        noun = f"{'an' if self.noun[0] in 'aeiou' else 'a'} {self.noun}"
        raise click.UsageError(f"the first argument must name {noun} ({', '.join(self.commands)}){given}", ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a line for each task."""
        with formatter.section(f"{self.noun.capitalize()}s"):
            formatter.write_dl(list(self.summaries.items()))

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write how to get a task's help, and the examples."""
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(f"{self.name} {self.noun.upper()} --help shows the options of one {self.noun}.")
        _format_examples(self.examples, formatter)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of the tasks in the order of their declaration."""
        return list(self.commands)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Tasks whose names start with ``incomplete``, with their summaries, and options of the group."""
        from click.shell_completion import CompletionItem

        tasks = [
            CompletionItem(name, help=self.summaries[name]) for name in self.commands if name.startswith(incomplete)
        ]
        return [*tasks, *click.Command.shell_complete(self, ctx, incomplete)]


def command(
    name: str,
    *,
    examples: Sequence[Example],
    arguments: str = "[FILE]...",
    reads: str = "papers",
    shards: bool | None = None,
) -> Callable[[Callable[..., int]], StreamCommand]:
    """Decorator: a command from a function ``f(stream, **own_options) -> exit status``, with the common options.

    Args:
        name: name of the command, or of a command and a task: "st-judge match".
        examples: pairs of a command line and its description, shown by ``--help`` and in the man page.
        arguments: placeholder of the arguments in the usage line.
        reads: meaning of the rows of input tables: "papers"; "abstracts" or "sections", as which the column "text" is
            read; or "rows" for ratings and numbers. "files" if the arguments are not records; "ids" if they may also be
            identifiers and web services do the work: such a command has no worker processes and no limits on records.
        shards: whether the command has ``--shard``, since it processes each record separately; None: unless ``reads``
            is "rows" or "ids".
    """
    program, _, task = name.partition(" ")
    has_shards = reads not in ("rows", "ids") if shards is None else shards

    def decorate(function: Callable[..., int]) -> StreamCommand:
        def callback(**options: Any) -> int:
            from scholartools.pipeline.stream import Stream
            from scholartools.pipeline.workers import Limits

            if reads == "ids":
                options |= _NO_WORKERS
            bounds = Limits(options.pop("max_seconds"), options.pop("max_memory"))
            shared = {key: options.pop(key) for key in _COMMON_NAMES}
            if shared["jobs"] > 1 or options.get("model"):
                shared["scheduler"] = None  # can only come from ST_SCHEDULER: a typed --scheduler is rejected here
            if reads not in ("files", "ids"):
                shared["reading"] = _reading(reads, options.pop("input_format"), options.pop("map"))
            if has_shards and (part := options.pop("shard")) is not None:
                shared["shard"] = _shard_of(part)
            return function(Stream(command=program, task=task, bounds=bounds, **shared), **options)

        callback.__doc__ = function.__doc__
        own = getattr(function, "__click_params__", [])
        argument = click.Argument(["files"], metavar=arguments, nargs=-1, type=click.Path())
        # click reverses this list: argument, own options, common options
        common = _common_options(any("--model" in option.opts for option in own))
        common = common if reads in ("files", "ids") else [*_table_options(), *common]
        common = [one for one in common if reads != "ids" or one.name not in _NO_WORKERS]
        common = [_shard_option(), *common] if has_shards else common
        callback.__click_params__ = [*reversed(common), *own, argument]  # type: ignore[attr-defined]
        make = click.command(task or program, cls=StreamCommand, examples=examples, context_settings=SETTINGS)
        return make(callback)

    return decorate


def group(
    name: str, package: str, tasks: Mapping[str, str], *, help: str, modules: Mapping[str, str] | None = None,
    noun: str = "task", default: str | None = None, default_words: Collection[str] = (),
    examples: Sequence[Example] = (),
) -> StreamGroup:  # fmt: skip
    """A command with several tasks.

    Args:
        package: package of the tasks' modules.
        tasks: one-line description of each task, in the order of the help. A task is the command of the same name in
            the module of the same name ("fit-weights" is ``fit_weights.fit_weights``).
        help: description of the command.
        modules: modules of the tasks that are not in a module of their own, by the names of the tasks.
        noun: word for a task in the help.
        default: task that runs if none is named.
        default_words: as in :class:`StreamGroup`.
        examples: as in :func:`command`.
    """
    places = {task: (modules or {}).get(task, task.replace("-", "_")) for task in tasks}
    made = StreamGroup(
        name, summaries=tasks, noun=noun, default=default, default_words=default_words, examples=examples, help=help,
        context_settings=SETTINGS, params=[version_option()], subcommand_metavar=f"{noun.upper()} [OPTIONS] [ARG]...",
        options_metavar="",
    )  # fmt: skip
    made.commands = LateTasks(package, places)  # type: ignore[assignment]
    return made


# Option values of a command without worker processes, which lacks these options.
_NO_WORKERS: dict[str, Any] = {"jobs": 1, "scheduler": None, "max_seconds": 120.0, "max_memory": 2048}
_COMMON_NAMES = ("files", "output", "on_error", "jobs", "scheduler", "quiet", "progress")


def common_option(name: str, help: str, **settings: Any) -> Option:
    """An option under the heading of the common options."""
    return Option([name], help=help, heading=COMMON, show_default="default" in settings, **settings)


def output_option() -> Option:
    """Option ``--output PATH``."""
    return common_option(
        "--output", "Write the output to PATH. The output file has the name PATH.part until it is complete.", metavar=
        "PATH",
        type=click.Path(),
        conditions=(writes_no_other_table(),),
    )  # fmt: skip


def quiet_option() -> Option:
    """Option ``--quiet``."""
    return common_option("--quiet", "Suppress all messages except fatal errors.", is_flag=True)


def version_option() -> Option:
    """Option ``--version``, which prints the name of the program without its task."""

    def show(context: click.Context, _: click.Parameter, wanted: bool) -> None:
        if wanted:
            click.echo(f"{context.find_root().command.name} {__version__}")
            context.exit()

    settings: dict[str, Any] = {"is_flag": True, "is_eager": True, "expose_value": False, "callback": show}
    return common_option("--version", "Show the version and exit.", **settings)


_ON_ERROR = (
    "What happens to a failed record: keep (write it with `errors`), skip (omit it if it failed entirely) or stop "
    "(end the run)."
)


@functools.cache
def _common_options(can_ask: bool) -> list[click.Parameter]:
    """Common options; ``can_ask``: whether the command has the model options."""
    policies, modes = click.Choice(["keep", "skip", "stop"]), click.Choice(["auto", "on", "off"])
    jobs = "Number of parallel worker processes" + (
        "; a run that calls a model uses --concurrency instead." if can_ask else "."
    )
    return [
        output_option(),
        common_option(
            "--on-error", _ON_ERROR, type=policies, default="keep",
        ),
        common_option(
            "--jobs", jobs, type=click.IntRange(min=1), default=1, metavar="N",
        ),
        _scheduler_option(can_ask),
        quiet_option(),
        *_bound_options(can_ask),
        common_option(
            "--progress", "Show the progress of the run on stderr; auto shows it only on a terminal.",
            type=modes, default="auto",
            conditions=(where("--progress", "on", excludes("--quiet")),),
        ),
        version_option(),
    ]  # fmt: skip


@functools.cache
def _table_options() -> list[click.Parameter]:
    """Options ``--input-format`` and ``--map`` for input tables."""
    return [
        common_option(
            "--input-format", "Format of the input files, if their file name extension does not show the format "
                "(docs/tables.md).",
            type=click.Choice(RECORD_FORMATS),
        ),
        common_option(
            "--map", "Read the column OLD of an input table under the name NEW; may be repeated.", metavar="NEW=OLD",
            multiple=True,
        ),
    ]  # fmt: skip


def _shard_option() -> click.Parameter:
    """Option ``--shard I/N``. No variable sets it: the next command of a script would split its part again."""
    text = (
        "Split the input into N parts, and process only part I (counted from 1). The outputs of the N parts, "
        "concatenated in order, equal the output of one run on the whole input."
    )
    return common_option("--shard", text, metavar="I/N", allow_from_autoenv=False)


def _shard_of(text: str) -> Any:
    from scholartools.shards import Shard

    return Shard.of(text)


def _reading(reads: str, input_format: str | None, renamed: Sequence[str]) -> Any:
    """Settings for reading input tables.

    Raises:
        UsageFault: a value of ``--map`` is not of the form NEW=OLD, or names a column twice.
    """
    from scholartools.table_files.reading import Reading

    pairs = [(new, old) for new, _, old in (text.partition("=") for text in renamed)]
    if any(not new.strip() or not old.strip() for new, old in pairs):
        raise UsageFault("expected NEW=OLD, such as value=score", parameter="map")
    if len({old for _, old in pairs}) < len(pairs) or len({new for new, _ in pairs}) < len(pairs):
        raise UsageFault("one column is named twice", parameter="map")
    text_as = {"abstracts": "abstract", "sections": "section"}.get(reads)
    return Reading(input_format, tuple(pairs), reads == "rows", text_as, has_option=True)


def _scheduler_option(can_ask: bool) -> click.Parameter:
    """Option ``--scheduler ADDRESS``."""
    conditions = [Condition("cannot be used with --jobs above 1", lambda options: options["jobs"] == 1)]
    if can_ask:
        asks = "cannot be used with --model{}: for several machines, use --shard and a common cache (docs/scale.md)"
        reason = lambda _: asks.format(tell_variable("--model"))  # noqa: E731
        conditions.append(Condition(reason, lambda options: not options["model"]))
    text = (
        "Process the records on a Dask cluster; ADDRESS is the address of its scheduler (tcp://HOST:PORT or "
        "tls://HOST:PORT)."
    )
    return common_option("--scheduler", text, metavar="ADDRESS", conditions=tuple(conditions))


def _bound_options(can_ask: bool) -> list[click.Parameter]:
    """Options ``--max-seconds`` and ``--max-memory``: limits per record in runs without a model."""
    conditions = (excludes("--model"),) if can_ask else ()
    return [
        common_option(
            "--max-seconds",
            "Maximum processing time of one record in a run without a model, in s; a record that needs more fails.",
            metavar="SECONDS", type=click.FloatRange(min=0, min_open=True), default=120.0, conditions=conditions,
        ),
        common_option(
            "--max-memory",
            "Maximum memory for one record in a run without a model, in MB; a record that needs more fails.",
            metavar="MB", type=click.IntRange(min=256), default=2048, conditions=conditions,
        ),
    ]  # fmt: skip


def _option_heading(option: click.Option) -> str:
    return COMMON if "--help" in option.opts else getattr(option, "heading", OWN)


def _format_examples(examples: Sequence[Example], formatter: click.HelpFormatter) -> None:
    if examples:
        with formatter.section("Examples"):
            for line, meaning in examples:
                formatter.write(f"  {line}\n      {meaning}\n")


def _exit_status(error: ScholartoolsError) -> int:
    if isinstance(error, OutputFault):
        return 2 if error.kind == "unwritable" else 6
    statuses = {UsageFault: 2, InputFault: 3, ModelFault: 4}
    return next((status for kind, status in statuses.items() if isinstance(error, kind)), 1)


def _refuse_cache_address() -> None:
    """Check an address of a server in ST_CACHE before the run.

    Raises:
        UsageFault: as :func:`scholartools.cache.default_place`.
    """
    if ":" in os.environ.get("ST_CACHE", ""):  # otherwise the module need not be imported
        from scholartools.cache import default_place

        default_place()


def _occupy_closed_streams() -> None:
    """Occupy closed standard descriptors, so that no later file gets their numbers; using the streams still fails."""
    for descriptor, mode in ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, mode)  # gets the lowest free descriptor
    sys.stdout = sys.stdout or open(1, "w", closefd=False)
    sys.stderr = sys.stderr or open(2, "w", closefd=False)


def _silence_stdout() -> None:
    """Discard buffered output, so that a closed pipe or full disk does not raise an error while Python shuts down."""
    discard_output(1)
