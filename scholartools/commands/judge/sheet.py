"""st-judge sheet: make a sheet on which people rate texts by a criteria file, and read their ratings from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scholartools.commands.judge.rate import texts_options
from scholartools.commands.shared.command import command
from scholartools.commands.shared.options import excludes, option, seed_option

if TYPE_CHECKING:
    from scholartools.io import Record
    from scholartools.pipeline.stream import Stream


@command(
    "st-judge sheet",
    shards=False,
    examples=[
        ("st-judge sheet questions.jsonl --seed 1 > anna.csv", "Write a sheet for one rater, in a random order."),
        (
            "st-judge sheet questions.jsonl --read anna.csv --read ben.csv --read eve.csv | st-agree alpha "
            "--level ordinal",
            "Read three filled sheets, and measure how well the raters agree.",
        ),
    ],
)
@texts_options
@seed_option("Random seed of the order of the texts in the sheet.", excludes("--guide"), excludes("--read"))
@option(
    "--guide",
    is_flag=True,
    conditions=excludes("--read"),
    help="Write the instructions for raters, in Markdown, instead of the sheet on which they rate texts.",
)
@option(
    "--read", metavar="TABLE", multiple=True,
    help="Read the filled sheet in the file TABLE, and write its ratings as records (repeatable). The name of a "
        "sheet's file is the name of its rater.",
)  # fmt: skip
def sheet(stream: Stream, seed: int, *, guide: bool, read: tuple[str, ...], **options: Any) -> int:
    """Write a sheet (CSV) on which people rate texts by a criteria file, or read filled sheets.

    Each row of the sheet has a text, the context that a model would see, a column for each aspect, `skip` and `note`.
    The sheet names neither systems nor papers. An apostrophe is put before a text that a spreadsheet would run as a
    formula. To read a sheet, --read needs the same records and options with which the sheet was written. With --read
    the command writes a record for each rater, text and aspect, for st-agree. A cell of the sheet without a rating
    gives a null rating, with the reason. If a rating in a filled sheet is outside the scale, st-judge sheet ends with
    status 2.
    """
    from collections import Counter

    from scholartools.tasks.annotate import rating_sheets as sheets
    from scholartools.tasks.annotate.guide import write_guide
    from scholartools.tasks.annotate.kinds.questions import criteria_kind
    from scholartools.tasks.judge.rate.criteria import pick_aspects, read_criteria
    from scholartools.tasks.judge.rate.inputs import Where, items_of
    from scholartools.wording import count_of

    criteria = read_criteria(options["aspects"])
    specs = pick_aspects(criteria, options["only"])
    names = ("candidate", "context", "context_words", "reference", "system_key", "item_key")
    where = Where.of(criteria, **{name: options[name] for name in names})
    items: list[Any] = []

    def add(record: Record) -> None:
        items.extend(items_of(record, where))

    def finish(_: int) -> Any:
        if guide:
            return write_guide(criteria_kind(criteria.model_copy(update={"aspects": specs}), "questions"))
        if read:
            made = sheets.read_sheets(read, specs, items, [criteria.source_name, criteria.candidate_name])
            absent = {(one["rater"], one["item"]) for one in made if one.get("reason") == sheets.NOT_ON_SHEET}
            for rater, count in sorted(Counter(rater for rater, _ in absent).items()):
                stream.tell(f'the sheet of "{rater}" has no row for {count_of(count, "text")}, whose ratings are null')
            return made
        return sheets.write_sheet(criteria, specs, items, seed)

    return stream.reduce_records(add, finish)
