"""st-annotate adjudicate, gold: items on which raters disagree, and gold answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.annotate.sheets import batch_of, status_of_judges
from scholartools.commands.shared.command import command
from scholartools.commands.shared.options import excludes, option, seed_option
from scholartools.parameters import parameter

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream

# Words for messages in place of those of the records that need an explanation.
_TOLD = {"no-votes": "unanswered"}


@command(
    "st-annotate adjudicate",
    shards=False,
    reads="files",
    arguments="DIR",
    examples=[
        (
            "st-annotate adjudicate study --judge dora --output disputes",
            "Make a batch of the items on which raters differ, for Dora, who decides them.",
        ),
        (
            "st-annotate adjudicate study --judge dora --when no-majority --show-votes --output disputes",
            "Make a batch of the items without a majority, and show the raters' answers.",
        ),
    ],
)
@option(
    "--judge", metavar="NAME", required=True, help="Name of the person who decides the items on which raters differ."
)
@option(
    "--when", metavar="any|no-majority|range>N", default="any", show_default=True,
    help=(
        "Which items to include: all items on which two raters differ (any), items without a majority "
        "(no-majority), or items on which two numbers differ by more than N or other answers differ (range>N)."
),
)  # fmt: skip
@option(
    "--show-votes",
    is_flag=True,
    help="Show the raters' answers, without the raters' names, to the person who decides.",
)
@seed_option("Random seed of the order of the items.")
def adjudicate(stream: Stream, judge: str, when: str, seed: int, *, show_votes: bool) -> int:
    """Make a batch of the items on which raters differ, for one person who decides them.

    Use st-annotate export and st-annotate import for the batch of disputed items as for any other batch. The batch of
    disputed items hides the raters' answers unless --show-votes is given. The decisions of the deciding person do not
    count as ratings, and do not enter measures of agreement. `st-annotate gold --adjudicated DIR` takes the decisions
    as gold answers.
    """
    from scholartools import io
    from scholartools.errors import InputFault, UsageFault
    from scholartools.tasks.annotate import batch as batches
    from scholartools.tasks.annotate.answers import no_answers, read_answers
    from scholartools.tasks.annotate.assignment import Plan
    from scholartools.tasks.annotate.disputes import disputed_items

    batch = batch_of(stream, most=1)
    (name,) = batches.check_raters([judge])
    if name in batch.raters:
        raise UsageFault(f"{name} is a rater of the batch", parameter="judge")
    answers = read_answers(batch)
    if not answers:
        raise InputFault(no_answers(batch), kind="no-answers")
    items = disputed_items(batch, answers, when, shows_votes=show_votes, seed=seed)
    decided = {
        "round": f"{batch.about['round']}, adjudicated", "sample": None, "stratified": False, "same": False,
        "after": [],
        "adjudicates": batch.id, "when": when, "shows_votes": show_votes,
    }  # fmt: skip
    guide = (batch.folder / batches.GUIDE).read_text(encoding="utf-8")
    writer = batches.BatchWriter(batch.as_kind(), Plan((name,), 1, seed=seed), decided, guide)
    with io.new_folder(stream.output, "batch") as folder:
        writer.write(folder, items)
        writer.end(folder, 0)
    stream.tell(
        f"{len(items)} of {len(batch.items)} items go to {name}, who decides"
        if items
        else f"no item meets {parameter('when', when)}: the batch has no items"
    )
    return 0


_adjudicated_option = option(
    "--adjudicated",
    metavar="DIR",
    help="Folder of the batch that st-annotate adjudicate made, in which one person decided on the items on "
    "which raters differ.",
)
_majority_option = option(
    "--majority", is_flag=True, help="Use the majority answer (more than half of the votes) for items that no "
    "adjudicator decided."
)  # fmt: skip


def _decisions(batch: Any, folder: str | None) -> list[Any]:
    """Answers of the batch of adjudications in ``folder``; none if ``folder`` is None.

    Raises:
        UsageFault: that batch adjudicates another batch.
    """
    from scholartools.errors import UsageFault
    from scholartools.tasks.annotate.answers import read_answers
    from scholartools.tasks.annotate.batch import read_batch

    if folder is None:
        return []
    other = read_batch(folder)
    if other.about.get("adjudicates") != batch.id:
        hint = f"name the folder that st-annotate adjudicate {batch.folder} wrote"
        raise UsageFault(f"{folder} does not decide on items of {batch.folder}: {hint}", parameter="adjudicated")
    return read_answers(other)


@command(
    "st-annotate gold",
    shards=False,
    reads="files",
    arguments="DIR",
    examples=[
        (
            "st-annotate gold study --adjudicated disputes > gold.jsonl",
            "Write the unanimous answers, and for the other items the decisions of the adjudicator.",
        ),
        (
            "st-annotate gold study --majority > gold.jsonl",
            "Write the unanimous answers, and for the other items the majority answers.",
        ),
        (
            "st-annotate gold pilot --best spans.jsonl > gold.jsonl",
            "Write the answers of the rater who agrees most with the other raters.",
        ),
    ],
)
@_adjudicated_option
@_majority_option
@option(
    "--best", metavar="FILE", conditions=(excludes("--adjudicated"), excludes("--majority")),
    help="Use the answers of the rater who agrees most with the other raters; FILE has the results of st-agree spans.",
)  # fmt: skip
def gold(stream: Stream, adjudicated: str | None, best: str | None, *, majority: bool) -> int:
    """Write the gold answer of each item: the unanimous answer of the raters, or else the decision of another
    person, or else the majority answer.

    The key `by` names the source of each gold answer: agreed, single (only one rater was asked), adjudicated, majority
    or best-rater (--best). If several raters agree equally well with the others, --best takes the first of them in the
    batch, `by` is tied-rater, and a message names these raters. The gold answer of an item without agreement, decision
    or majority is null, with the reason. Free-text answers of raters nearly always differ, so an item with a free-text
    answer needs a decision. `st-annotate assign --gold` and `st-annotate apply --truth` read the file of gold answers.
    """
    from collections import Counter

    from scholartools import io
    from scholartools.tasks.annotate.answers import read_answers
    from scholartools.tasks.annotate.description import Text
    from scholartools.tasks.annotate.disputes import best_raters, of_best, settled
    from scholartools.wording import count_of

    batch = batch_of(stream, most=1)
    if best is None:
        found = settled(batch, read_answers(batch), _decisions(batch, adjudicated), by_majority=majority)
    else:
        raters = best_raters(batch, best)
        if not raters:
            click.echo(f"st-annotate: {best}: no two raters can be compared: there are no gold answers", err=True)
        elif raters[1:]:
            told = f"{' and '.join(raters)} agree equally well with the others"
            click.echo(f"st-annotate: {best}: {told}: the answers of {raters[0]} are taken", err=True)
        found = of_best(batch, read_answers(batch), raters)
    counts: Counter[str] = Counter()
    decidable, n_open = [one.name for one in batch.questions if not isinstance(one, Text)], 0
    with io.open_output(stream.output) as output:
        for record in found:
            counts.update(_TOLD.get(how, how) for how in (*record["by"].values(), *record["reasons"].values()))
            n_open += any(record["reasons"].get(one) == "disputed" for one in decidable)
            output.write(record)
    if adjudicated is not None and n_open:
        told = f"no decision on {count_of(n_open, 'item')} on which raters differ: no gold answer"
        click.echo(f"st-annotate: {adjudicated}: {told}", err=True)
    told = ", ".join(f"{n} {how}" for how, n in sorted(counts.items()))
    if set(counts) == {_TOLD["no-votes"]}:
        told += " (st-annotate import reads the sheets that raters returned)"
    stream.tell(f"gold answers: {told or 'none'}")
    return 0


@command(
    "st-annotate agree",
    shards=False,
    arguments="DIR [FILE]...",
    examples=[
        (
            "st-annotate agree study judged.jsonl --table",
            "Compare the verdicts of each judge in the records with the answers of people.",
        ),
        (
            "st-annotate agree study judged.jsonl --adjudicated disputes",
            "Compare the verdicts of judges with gold answers that include the decisions of an adjudicator.",
        ),
    ],
)
@_adjudicated_option
@_majority_option
@option("--table", is_flag=True, help="Print a human-readable table instead of JSONL.")
def agree(stream: Stream, adjudicated: str | None, *, majority: bool, table: bool) -> int:
    """Compare the answers of judges (such as models) in the records with the answers of people, for each question.

    `equal` is the share of items for which the judge gives the gold answer of st-annotate gold, with Wilson's interval.
    `kappa` is Cohen's kappa between the judge and the gold answers. `alpha_people` is Krippendorff's alpha of the
    people alone, and `alpha_with_judge` is alpha with the judge as another rater. Items without a gold answer or
    without a verdict of the judge are counted, and excluded from the share of equal answers. To compute the difference
    between two alphas with its interval, pass the output of `st-annotate ratings` to st-agree.
    """
    from scholartools.tasks.annotate.answers import no_answers, read_answers
    from scholartools.tasks.annotate.judges import JudgesBeside, judges_table

    batch = batch_of(stream)
    stream.files = stream.files[1:]
    if not (answers := read_answers(batch)):
        stream.tell(no_answers(batch))
    beside = JudgesBeside(batch, answers, _decisions(batch, adjudicated), by_majority=majority)

    def finish(_: int) -> Any:
        found = list(beside.results())
        return judges_table(found) if table else found

    return status_of_judges(beside, stream.reduce_records(beside.add, finish))
