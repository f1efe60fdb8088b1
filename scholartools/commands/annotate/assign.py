"""st-annotate assign: make a batch of items for raters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from scholartools.commands.annotate.sheets import batch_of
from scholartools.commands.shared.command import command
from scholartools.commands.shared.options import excludes, explicit_options, needs, option, seed_option, split_names

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream

_DESIGNS, _TOGETHER = ("blocks", "overlap", "full"), ("none", "group", "paper")
_SHARE = click.FloatRange(0, 1)


@command(
    "st-annotate assign",
    shards=False,
    arguments="KIND|DIR [FILE]...",
    examples=[
        (
            "st-annotate assign labels papers.jsonl --raters anna,ben,eve --per-item 2 --repeat .05 --output main",
            "Assign each weakness to two of three raters; each rater gets one in twenty weaknesses twice.",
        ),
        (
            "st-annotate assign my-kind.yaml items.jsonl --raters anna,ben --design full --output batch",
            "Make a batch of a kind of items that you define in a YAML file.",
        ),
        ("st-annotate assign main --add-rater dora", "Add a rater, who gets the items that the fewest raters have."),
    ],
)
@option("--raters", metavar="A,B,...", help="Names of the raters; needed for a new batch.")
@option(
    "--per-item", metavar="N", type=click.IntRange(min=1), default=2, show_default=True,
    help="Number of raters of each item (--design blocks).",
)  # fmt: skip
@option(
    "--design", type=click.Choice(_DESIGNS), default="blocks", show_default=True,
    help=(
        "How items are assigned to raters: with blocks, each item gets --per-item raters, and all pairs of raters "
        "share about equally many items; with overlap, some items go to all raters and each other item to one rater; "
        "with full, all items go to all raters."
),
)  # fmt: skip
@option(
    "--overlap", metavar="SHARE", type=_SHARE, default=0.3, show_default=True,
    conditions=needs("--design", "overlap"), help="Share of the items that are given to all raters (--design overlap).",
)  # fmt: skip
@option(
    "--keep-together", type=click.Choice(_TOGETHER), default="none", show_default=True,
    help="Assign all items of a group (a review) or of a paper to the same raters, in consecutive rows.",
)  # fmt: skip
@option("--sample", metavar="N", type=click.IntRange(min=1), help="Draw a random sample of N items.")
@option(
    "--stratify",
    is_flag=True,
    conditions=needs("--sample"),
    help="Draw the --sample in proportion to the sizes of strata; docs/people.md describes the strata.",
)
@option("--allow-empty", is_flag=True, help="Write a batch without items if no item is left to assign.")
@option("--gold", metavar="FILE", help="JSONL file with the records of items whose answer is known.")
@option(
    "--gold-share", metavar="SHARE", type=_SHARE, default=0.05, show_default=True, conditions=needs("--gold"),
    help="Number of items with a known answer for each rater, as a share of the rater's other items.",
)  # fmt: skip
@option(
    "--repeat", metavar="SHARE", type=_SHARE, default=0.0, show_default=True,
    help="Share of a rater's items that the rater gets a second time.",
)  # fmt: skip
@option(
    "--round",
    "round_",
    metavar="NAME",
    default="main",
    show_default=True,
    help="Name of the round of annotation, such as pilot or main.",
)
@option(
    "--after",
    metavar="DIR",
    multiple=True,
    help="Exclude the items of the earlier batch in the folder DIR; may be repeated.",
)
@option(
    "--same",
    is_flag=True,
    conditions=needs("--after"),
    help="Use only the items of the earlier batches that --after names.",
)
@seed_option("Random seed of all random choices (sample, assignment and order of the items).")
@option(
    "--add-rater",
    metavar="NAME",
    help="Add a rater to the existing batch in the folder DIR; the new rater gets --sample N items, or by "
    "default as many items as each other rater has.",
)
@option(
    "--drop-rater", metavar="NAME", conditions=excludes("--add-rater"),
    help="Give a rater's unfinished items of the batch DIR to the other raters.",
)  # fmt: skip
def assign(
    stream: Stream, raters: str | None, per_item: int, design: str, overlap: float, keep_together: str,
    sample: int | None, gold: str | None, gold_share: float, repeat: float, round_: str, after: tuple[str, ...],
    seed: int, add_rater: str | None, drop_rater: str | None, *,
    stratify: bool, same: bool, allow_empty: bool,
) -> int:  # fmt: skip
    """Make a batch of items for raters, and decide at random who gets which items, and in which order.

    KIND is the kind of the items (docs/people.md describes the kinds), or a YAML file that defines a kind of your own.
    st-annotate assign writes the batch to the folder --output. Raters get only the files of `st-annotate export`. Do
    not send the raters key.jsonl and items.jsonl, which name papers, systems and known answers. The ids of the rows of
    an answer sheet reveal nothing about the items. A second run with the same records, options and seed makes the same
    batch.

    With --add-rater or --drop-rater, the argument is an existing batch. --add-rater and --drop-rater do not change
    existing files and answers. st-annotate export writes new rows to new files (NAME-2.csv), or as additional tasks to
    a Label Studio project.
    """
    from scholartools import io
    from scholartools.errors import UsageFault
    from scholartools.tasks.annotate import batch, guide, kinds
    from scholartools.tasks.annotate.assignment import Plan

    if add_rater or drop_rater:
        return _change_raters(stream, add_rater, drop_rater, sample)
    if raters is None:
        raise UsageFault("a new batch needs raters: name them, such as anna,ben", parameter="raters")
    if not stream.files:
        raise UsageFault(f"the first argument must name a kind of items ({', '.join(kinds.NAMES)}) or a YAML file")
    kind = kinds.find_kind(stream.files[0])
    stream.files = stream.files[1:]
    names = batch.check_raters(split_names(raters, "raters"))
    plan = Plan(names, per_item, design, overlap, keep_together, repeat, gold_share, seed)  # type: ignore[arg-type]
    plan.check()
    earlier = [batch.read_batch(folder) for folder in after]
    decided = {"round": round_, "sample": sample, "stratified": stratify, "same": same}
    writer = batch.BatchWriter(kind, plan, {**decided, "after": [one.id for one in earlier]}, guide.write_guide(kind))
    writer.earlier = {(item.id, item.texts) for one in earlier for item in one.items.values()}
    writer.truth = batch.read_truth(gold, "gold") if gold else {}
    writer.allow_empty = allow_empty
    status = stream.write_with(writer, io.new_folder(stream.output, "batch"), allow_empty=allow_empty)
    if status in (0, 1):
        counts = writer.about["counts"]
        stream.tell(f"{counts['items']} items and {counts['gold']} with a known answer for {len(names)} raters")
    return status


def _change_raters(stream: Stream, added: str | None, dropped: str | None, sample: int | None) -> int:
    """Add a rater to the batch named by the first argument, or drop one.

    Raises:
        UsageFault: an option is given that applies only to a new batch.
    """
    from scholartools.errors import UsageFault
    from scholartools.tasks.annotate import changes
    from scholartools.wording import count_of

    known = {"add_rater", "drop_rater", "files", "quiet", *(["sample"] if added else [])}
    if other := sorted(explicit_options() - known):
        raise UsageFault("is for a new batch, but the batch exists already", parameter=other[0].rstrip("_"))
    batch = batch_of(stream, most=1)
    if added:
        told = f"{count_of(changes.add_rater(batch, added, sample), 'item')} for {added}"
    else:
        n, n_lost = changes.drop_rater(batch, str(dropped))
        told = f"{count_of(n, 'item')} of {dropped} go to other raters"
        if n_lost:
            told += f"; {n_lost} keep one rater fewer, because all other raters have them already"
    stream.tell(told)
    return 0
