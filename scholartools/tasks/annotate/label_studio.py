"""Projects of Label Studio, one per rater, and its JSON exports. Written for version 1.23.

Raters see all answers within a project, so each has a separate one. Texts are in ``Text`` tags, where offsets are code
points, and line breaks in the text of a region are written as backslash and "n".
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

from scholartools.errors import UsageFault
from scholartools.json_text import loads
from scholartools.parameters import parameter
from scholartools.records import Record
from scholartools.signature import fingerprint
from scholartools.tasks.annotate.batch import Batch, Row
from scholartools.tasks.annotate.description import (
    SIDES,
    UNKNOWN_VALUE,
    Choice,
    Fault,
    Pick,
    Question,
    Scale,
    Spans,
    Text,
    Winner,
    YesNo,
)
from scholartools.tasks.annotate.guide import as_html, write_guide
from scholartools.tasks.annotate.passages import with_written_line_ends
from scholartools.tasks.annotate.sheets import listed_values, shown_headings, shown_texts

#: Key of a task's data that identifies its row.
ROW_KEY = "st"
_NONE_ALIAS = "none"
_OWN_LABEL = "passage"
# Long texts scroll separately, so that the questions stay visible.
_FRAME = "max-height: 50vh; overflow-y: auto; border: 1px solid #BFBFBF; padding: 0 8px; margin-bottom: 8px"
_LONGEST_TITLE = 50
# Palette of Okabe and Ito, distinguishable with any colour vision.
_COLOURS = ("#56B4E9", "#E69F00", "#009E73", "#F0E442", "#CC79A7", "#D55E00", "#0072B2", "#999999")


def project_of(batch: Batch, rater: str | None, guide: str) -> Record:
    """Settings of a rater's project (None: of the shared one): title, label configuration, instructions."""
    kind = batch.as_kind()
    return {
        "title": f"{batch.about['title']} ({rater or 'all'})"[:_LONGEST_TITLE],
        "description": project_name(batch, rater),
        "label_config": label_config(batch, _headings(batch)),
        # an edited guide is shown unchanged
        "expert_instruction": as_html(write_guide(kind, is_page=True) if guide == write_guide(kind) else guide),
        "show_instruction": True,
        "show_skip_button": True,
        "enable_empty_annotation": True,
        "maximum_annotations": 1 if rater is not None else len(batch.raters),
        "sampling": "Sequential sampling",
    }


def project_name(batch: Batch, rater: str | None) -> str:
    """Description by which a project is found; "*" is not a valid rater name."""
    return f"{batch.id}/{rater or '*'}"


def shared_rows(batch: Batch) -> list[Row]:
    """Rows of a shared project, one per item, with the same order and candidates for all raters."""
    made = [_shared(batch, row) for row in batch.rows[batch.raters[0]]]
    return [row._replace(place=place) for place, row in enumerate(sorted(made, key=lambda row: row.mark), 1)]


def rows_by_mark(batch: Batch, rater: str) -> dict[str, Row]:
    """A rater's rows by their marks in tasks, including the marks of the shared project."""
    rows = batch.rows[rater]
    shared = {(one := _shared(batch, row)).mark: row._replace(order=one.order) for row in rows if batch.is_shared}
    return {**shared, **{row.mark: row for row in rows}}


def _shared(batch: Batch, row: Row) -> Row:
    mark = "s" + fingerprint([batch.id, "shared", row.item.id])[:12]
    return row._replace(mark=mark, order=tuple(sorted(row.order, key=lambda one: fingerprint([mark, one]))))


def label_studio_tasks(batch: Batch, rows: Sequence[Row]) -> list[Record]:
    """Tasks for rows, in order; suggested answers become predictions."""
    headings = _headings(batch)
    about = {one.name: _about(batch, one, headings) for one in batch.questions}
    made = []
    for row in rows:
        shown = shown_texts(batch, row)
        data: Record = {_text_key(number): shown.get(heading, "") for number, heading in enumerate(headings)}
        task: Record = {"data": {**data, ROW_KEY: {"batch": batch.id, "row": row.mark}}}
        if (said := batch.suggested.get(row.item.id)) is not None:
            given = ((place, one, said.get(one.name)) for place, one in enumerate(batch.questions))
            regions = [
                region for place, one, value in given if value is not None
                for region in _regions(place, one, value, row, about[one.name])
            ]  # fmt: skip
            task["predictions"] = [{"model_version": "suggested", "result": regions}]
        made.append(task)
    return made


def _regions(place: int, question: Question, value: Any, row: Row, about: str) -> Iterator[Record]:
    """Regions of an annotation with a given answer: the inverse of :func:`_value`."""
    name = _control(place)

    def region(control: str, kind: str, value: Record, about: str = about, more: str = "") -> Record:
        return {"id": f"s{place}{more}", "from_name": control, "to_name": about, "type": kind, "value": value}

    def spans(control: str, given: Sequence[Record]) -> Iterator[Record]:
        for number, span in enumerate(given):
            there = {"start": span["start"], "end": span["end"], "text": with_written_line_ends(span["text"])}
            more = f"_{number}"
            yield region(control, "labels", {**there, "labels": [span.get("label", _OWN_LABEL)]}, more=more)
            if (scale := getattr(question, "rated", None)) is not None and span.get(scale.name) is not None:
                rated = {**there, "choices": [_alias_of(scale, span[scale.name], row)]}
                yield region(f"{control}_rated", "choices", rated, more=more)

    none: Record = {"choices": [_NONE_ALIAS]}
    if isinstance(question, Spans):
        yield from spans(name, value)
        yield from [] if value else [region(f"{name}_none", "choices", none)]
    elif isinstance(question, Pick):
        numbers = [str(row.order.index(one) + 1) for one in value if isinstance(one, str)]
        yield from spans(f"{name}_own", [one for one in value if not isinstance(one, str)])
        if numbers or not value:
            yield region(name, "choices", {"choices": numbers} if numbers else none, about=_text_key(0))
    elif isinstance(question, Text):
        yield region(name, "textarea", {"text": [value]})
    elif not _aliases(question):
        yield region(name, "number", {"number": value})
    elif isinstance(value, list):
        chosen = {"choices": [_alias_of(question, one, row) for one in value]}
        yield region(name, "choices", chosen) if value else region(f"{name}_none", "choices", none)
    else:
        yield region(name, "choices", {"choices": [_alias_of(question, value, row)]})


def _alias_of(question: Question, value: Any, row: Row) -> str:
    """Alias of a value of a closed question."""
    if isinstance(value, bool):
        shown = "yes" if value else "no"
    elif isinstance(question, Winner) and value in row.order:
        shown = SIDES[row.order.index(value)]
    else:
        shown = value if isinstance(value, str) else f"{value:g}"
    return next(alias for alias, one in _aliases(question).items() if one == shown)


def _about(batch: Batch, question: Question, headings: Sequence[str]) -> str:
    """Name of the text that a question refers to; by default the first one."""
    part = question.part if isinstance(question, Spans) else getattr(question, "custom_in", None)
    if not part:
        return _text_key(0)
    heading = next(one.heading for item in batch.items.values() for one in item.parts if one.name == part)
    return _text_key(headings.index(heading))


def _headings(batch: Batch) -> list[str]:
    """Headings of all items, in an order that is stable when rows are added later."""
    rows = {row.item.id: row for rows in batch.rows.values() for row in rows}
    return shown_headings(batch, [rows[name] for name in batch.items if name in rows])


def _text_key(number: int) -> str:
    return f"t_{number}"


def _control(number: int, more: str = "") -> str:
    return f"q_{number}{more}"


def label_config(batch: Batch, headings: Sequence[str]) -> str:
    """Label configuration of a project: texts in a scrolling frame, then the controls of each question."""
    lines = ["<View>", f'  <View style="{_FRAME}">']
    for number, heading in enumerate(headings):
        key = _text_key(number)
        lines += [f'    <Header value={quoteattr(heading[:1].upper() + heading[1:])} size="5"/>']
        lines += [f'    <Text name="{key}" value="${key}" granularity="symbol"/>']
    lines.append("  </View>")
    most = max((len(item.candidates) for item in batch.items.values()), default=0)
    for number, question in enumerate(batch.questions):
        lines.append(f'  <Header value={quoteattr(question.text)} size="4"/>')
        lines += [f'  <Header value={quoteattr(told)} size="6"/>' for told in _meanings(question)]
        lines += [f"  {line}" for line in _controls(number, question, _about(batch, question, headings), most)]
    return "\n".join([*lines, "</View>", ""])


def _meanings(question: Question) -> Iterator[str]:
    """Meanings of values and hints on marking, shown at the question because the guide is hidden while answering."""
    known = question.levels if isinstance(question, Scale) else getattr(question, "meanings", {})
    yield from (f"{value}: {meaning}" for value, meaning in known.items())
    most = getattr(question, "at_most", None)
    if most is not None and most > 1:
        yield f"At most {most}."
    if isinstance(question, Spans):
        rate = " Click a marked passage to rate it." if question.rated is not None else ""
        yield f"Choose a label, then mark the passage with the mouse.{rate}"
    elif isinstance(question, Pick) and question.custom_in:
        yield 'Or choose "passage" and mark one passage.'


def _controls(number: int, question: Question, about: str, most: int) -> Iterator[str]:
    """Controls of a question about a text."""
    name = _control(number)
    if isinstance(question, Spans):
        yield from _label_controls(name, about, question.labels)
        if (scale := question.rated) is not None:
            yield '<View visibleWhen="region-selected">'
            yield f'  <Header value={quoteattr(scale.text)} size="5"/>'
            yield from (f'  <Header value={quoteattr(told)} size="6"/>' for told in _meanings(scale))
            yield from _choices(
                _control(number, "_rated"), about, _aliases(scale), is_many=False, more=' perRegion="true"'
            )
            yield "</View>"
        yield from _choices(_control(number, "_none"), about, {_NONE_ALIAS: "There is none"}, is_many=True)
    elif isinstance(question, Pick):
        numbers = {str(place): str(place) for place in range(1, most + 1)}
        is_many = question.at_most > 1 or question.custom_in is not None
        yield from _choices(name, _text_key(0), {**numbers, _NONE_ALIAS: "none of them"}, is_many=is_many)
        if question.custom_in:
            yield from _label_controls(_control(number, "_own"), about, [_OWN_LABEL])
    elif isinstance(question, Text):
        yield f'<TextArea name="{name}" toName="{about}" rows="1" maxSubmissions="1" editable="true"/>'
    elif values := _aliases(question):
        is_many = isinstance(question, Choice) and question.is_many
        may_be_none = isinstance(question, Choice) and question.is_many and not question.at_least
        # a required control must be ticked itself, so "None of them" alone could not be submitted
        required = ' required="true"' if question.is_required and not may_be_none else ""
        yield from _choices(name, about, values, is_many=is_many, more=required)
        if may_be_none:
            yield from _choices(_control(number, "_none"), about, {_NONE_ALIAS: "None of them"}, is_many=True)
    else:
        yield f'<Number name="{name}" toName="{about}" step="any"/>'


def _label_controls(name: str, about: str, labels: Sequence[str]) -> Iterator[str]:
    yield f'<Labels name="{name}" toName="{about}">'
    for place, label in enumerate(labels):
        yield f"  <Label value={quoteattr(label)} background={quoteattr(_COLOURS[place % len(_COLOURS)])}/>"
    yield "</Labels>"


def _choices(name: str, about: str, values: Mapping[str, str], *, is_many: bool, more: str = "") -> Iterator[str]:
    kind = "multiple" if is_many else "single-radio"
    yield f'<Choices name="{name}" toName="{about}" choice="{kind}" showInline="true"{more}>'
    yield from (f'  <Choice alias="{alias}" value={quoteattr(value)}/>' for alias, value in values.items())
    yield "</Choices>"


def _aliases(question: Question) -> dict[str, str]:
    """Values of a closed question by alias; empty for open questions."""
    if isinstance(question, Choice):
        values: Sequence[str] = question.values
    elif isinstance(question, (Scale, YesNo, Winner)):
        values = listed_values(question)
    else:
        values = ()
    return {f"v{place}": value for place, value in enumerate(values)}


def load_export(path: str) -> Any:
    """Load a JSON file.

    Raises:
        UsageFault: it cannot be read, or is not JSON.
    """
    try:
        return loads(Path(path).read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise UsageFault(f"{path}: {error.strerror}") from None
    except ValueError:
        raise UsageFault(f"{path}: no JSON") from None


def exported_tasks(
    batch: Batch, path: str, tasks: Any, users: Mapping[str, str] | None, *, takes_last: bool
) -> Iterator[tuple[str, Record]]:
    """Convert the tasks of a JSON export to records with ``row``, ``answers`` and the other keys of task files.

    Args:
        path: the file, for messages.
        users: raters by e-mail address or number, for records with ``rater``. None: there is a single rater.
        takes_last: use the last of several differing annotations of a task.

    Raises:
        UsageFault: it is not such an export; there are several raters without ``users``; a task has several differing
            annotations.
    """
    if not isinstance(tasks, list) or any(not isinstance(task, dict) for task in tasks):
        raise UsageFault(f"{path}: the file is not a list of tasks")
    if any("annotations" not in task for task in tasks):
        raise UsageFault(
            f"{path}: no annotations in a task: export as JSON, not as JSON-MIN, which drops what is skipped"
        )
    if users is None:
        _refuse_several_people(path, tasks)
    known = {_control(place, more) for place in range(len(batch.questions)) for more in ("", "_none", "_own", "_rated")}
    for number, task in enumerate(tasks, 1):
        where = f"{path}:{number}"
        named = (task.get("data") or {}).get(ROW_KEY)
        if not isinstance(named, dict):
            raise UsageFault(f'{where}: the task has no "{ROW_KEY}" among its data: was it made by st-annotate export?')
        for rater, own in _by_rater(where, task, users).items():
            if (found := _annotation(where, own, takes_last=takes_last)) is not None:
                yield where, {**named, "rater": rater, **_said(batch, known, *found)}


def _said(batch: Batch, known: Container[str], annotation: Record, is_draft: bool) -> Record:  # noqa: FBT001
    """The content of an annotation in the format of task files."""
    is_skipped = bool(annotation.get("was_cancelled"))
    result = [] if is_skipped else annotation.get("result") or []  # a skip discards what was marked before
    answers = {question.name: _value(place, question, result) for place, question in enumerate(batch.questions)}
    if strange := next((one for one in result if one.get("from_name") not in known), None):
        fault = Fault(UNKNOWN_VALUE, f'the control "{strange.get("from_name")}" is not part of this batch')
        answers = dict.fromkeys(answers, fault)
    return {"answers": answers, "skip": is_skipped, "is_draft": is_draft, "seconds": annotation.get("lead_time")}


def _by_rater(where: str, task: Record, users: Mapping[str, str] | None) -> dict[str | None, Record]:
    """The annotations of a task by rater; with ``users`` None, all belong to the rater of the file."""
    if users is None:
        return {None: task}
    found: dict[str | None, Record] = {}
    for kind in ("annotations", "drafts"):
        for one in task.get(kind) or ():
            person = one.get("completed_by", one.get("user"))
            rater = _rater_named(where, person, users)
            found.setdefault(rater, {"annotations": [], "drafts": []})[kind].append(one)
    return found


def _rater_named(where: str, person: Any, users: Mapping[str, str]) -> str:
    """The rater of a Label Studio user, given by number or e-mail address.

    Raises:
        UsageFault: the user is unknown.
    """
    names = [str(one) for one in ([person.get("email"), person.get("id")] if isinstance(person, dict) else [person])]
    if found := next((users[name] for name in names if name in users), None):
        return found
    near = next((one for one in users for name in names if one.casefold() == name.casefold()), None)
    hint = f': is it "{near}"?' if near else ""
    raise UsageFault(f'{where}: {parameter("users")} does not say who "{names[0]}" is{hint}')


def _refuse_several_people(path: str, tasks: Sequence[Record]) -> None:
    """Check that a file has the answers of a single user.

    Raises:
        UsageFault: there are several.
    """
    people = {
        json.dumps(annotation.get("completed_by"), sort_keys=True)
        for task in tasks
        for annotation in task["annotations"] or ()
    }
    if len(people) > 1:
        hint = f"give each rater a project of their own, or say with {parameter('users', 'FILE')} who they are"
        raise UsageFault(f"{path}: {len(people)} people answered in it: {hint}")


def _annotation(where: str, task: Record, *, takes_last: bool) -> tuple[Record, bool] | None:
    """The annotation of a task, and whether it is a draft; None without one.

    Raises:
        UsageFault: several annotations differ.
    """
    done = sorted(task["annotations"] or (), key=lambda one: str(one.get("created_at")))
    if done:
        said = {json.dumps([one.get("was_cancelled"), _without_ids(one)], sort_keys=True) for one in done}
        if len(said) > 1 and not takes_last:
            raise UsageFault(f"{where}: {len(done)} annotations of one task that differ: {parameter('last', True)}")
        return done[-1], False
    drafts = sorted(task.get("drafts") or (), key=lambda one: str(one.get("created_at")))
    return (drafts[-1], True) if drafts else None


def _without_ids(annotation: Record) -> list[Record]:
    return [{key: value for key, value in one.items() if key != "id"} for one in annotation.get("result") or ()]


def _value(place: int, question: Question, result: Sequence[Record]) -> Any:
    """The answer to a question in an annotation, as in task files; a Fault if it is invalid."""
    own = _values_of(_control(place), result)
    is_none = bool(_values_of(_control(place, "_none"), result))
    if isinstance(question, Spans):
        return _listed(_rated_spans(question, own, _values_of(_control(place, "_rated"), result)), is_none=is_none)
    chosen = [alias for value in own for alias in value.get("choices") or ()]
    if isinstance(question, Pick):
        passages = [span for value in _values_of(_control(place, "_own"), result) for span in _spans(value)]
        unlabelled = [{key: span[key] for key in ("start", "end", "text")} for span in passages]
        numbers = [alias for alias in chosen if alias != _NONE_ALIAS]
        return _listed([*numbers, *unlabelled], is_none=_NONE_ALIAS in chosen)
    if len(own) > 1:
        return Fault(UNKNOWN_VALUE, f"{len(own)} answers")
    if isinstance(question, Choice) and question.is_many:
        return _listed([_aliases(question).get(alias, alias) for alias in chosen], is_none=is_none)
    return _single_value(question, own[0], chosen) if own else None


def _values_of(control: str, result: Sequence[Record]) -> list[Record]:
    """Values of the regions of a control, with the region ids, by which ratings refer to passages."""
    own = (region for region in result if region.get("from_name") == control)
    return [{**(region.get("value") or {}), "id": region.get("id")} for region in own]


def _listed(found: list[Any], *, is_none: bool) -> Any:
    """A list answer: empty if "none" is ticked, None if nothing is marked, a Fault if both."""
    if found and is_none:
        return Fault(UNKNOWN_VALUE, "both something and nothing is marked")
    return found or ([] if is_none else None)


def _rated_spans(question: Spans, own: Sequence[Record], ratings: Sequence[Record]) -> list[Record]:
    """Marked passages, with their ratings if they are rated."""
    rated = {one["id"]: one.get("choices") or () for one in ratings}
    return [{**span, **_rating_of(question, rated.get(value["id"], ()))} for value in own for span in _spans(value)]


def _rating_of(question: Spans, chosen: Sequence[str]) -> Record:
    """Rating of a passage, by the name of the scale; empty if passages are not rated."""
    if question.rated is None:
        return {}
    aliases = _aliases(question.rated)
    return {question.rated.name: next((aliases.get(one, one) for one in chosen), None)}


def _single_value(question: Question, own: Record, chosen: Sequence[str]) -> Any:
    """The value of a single-valued control; None if it is empty."""
    if isinstance(question, Text):
        return "\n".join(own.get("text") or ()) or None
    if not (aliases := _aliases(question)):
        return own.get("number")
    if len(chosen) > 1:
        return Fault(UNKNOWN_VALUE, f"{len(chosen)} answers")
    return aliases.get(chosen[0], chosen[0]) if chosen else own.get("rating")


def _spans(value: Record) -> Iterator[Record]:
    for label in value.get("labels") or ():
        yield {"start": value.get("start"), "end": value.get("end"), "text": value.get("text"), "label": label}
