"""Random XML files with tables in all places where they may occur, made of unique words."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass
class Drawn:
    """A file and its ground truth.

    Attributes:
        kept: words that the record must contain.
        in_tables: words of tables, which the record omits and counts.
        beside: words of floats that are not in a caption, note or table.
    """

    source: str = ""
    kept: set[str] = field(default_factory=set)
    in_tables: set[str] = field(default_factory=set)
    beside: set[str] = field(default_factory=set)
    n_tables: int = 0
    n_cells: int = 0


class _Words:
    def __init__(self, chance: random.Random, drawn: Drawn) -> None:
        self.chance, self.drawn, self._count = chance, drawn, 0

    def new(self, where: set[str], most: int = 3) -> str:
        words = []
        for _ in range(self.chance.randint(1, most)):
            self._count += 1
            words.append(f"w{self._count:04d}q")
        where.update(words)
        return " ".join(words)

    def kept(self) -> str:
        return self.new(self.drawn.kept)

    def maybe(self, text: Callable[[], str], share: float = 0.5) -> str:
        return text() if self.chance.random() < share else ""


def draw_jats(seed: int) -> Drawn:
    """A JATS article with tables in sections, paragraphs, boxes, lists, floats and the abstract."""
    drawn = Drawn()
    chance = random.Random(seed)
    words = _Words(chance, drawn)

    def cell() -> str:
        drawn.n_cells += 1
        name = chance.choice(["td", "th"])
        note = words.maybe(lambda: f"<fn><p>{words.kept()}</p></fn>", 0.1)
        inside = chance.choice(["{}", "<p>{}</p>", "<bold>{}</bold>", "<list><list-item><p>{}</p></list-item></list>"])
        return f"<{name}>{inside.format(words.new(drawn.in_tables))}{note}</{name}>"

    def table() -> str:
        drawn.n_tables += 1
        rows = ["".join(cell() for _ in range(chance.randint(1, 4))) for _ in range(chance.randint(1, 4))]
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        return f"<table>{chance.choice(['{}', '<tbody>{}</tbody>', '<thead>{}</thead>']).format(body)}</table>"

    def wrap() -> str:
        inside = chance.choice(
            ["{}", "<alternatives><graphic/>{}</alternatives>", "<alternatives>{}<graphic/></alternatives>"]
        )
        foot = words.maybe(
            lambda: f"<table-wrap-foot><fn><p>{words.kept()}</p></fn><p>{words.kept()}</p></table-wrap-foot>"
        )
        beside = words.maybe(lambda: f"<disp-quote><p>{words.new(drawn.beside)}</p></disp-quote>", 0.2)
        caption = words.maybe(
            lambda: f"<label>Table</label><caption><title>{words.kept()}</title><p>{words.kept()}</p></caption>"
        )
        one = f"<table-wrap>{caption}{inside.format(table())}{beside}{foot}</table-wrap>"
        return chance.choice(["{}", "{}", "<table-wrap-group>{}</table-wrap-group>"]).format(one)

    def place() -> str:
        around = chance.choice(
            ["{}", "<p>A {} b</p>", "<boxed-text>{}</boxed-text>", "<list><list-item>{}</list-item></list>",
             "<sec><title>S</title>{}</sec>", "<disp-quote><p>{}</p></disp-quote>", "<fn><p>Note {}</p></fn>"]
        )  # fmt: skip
        return around.format(wrap()) + f"<p>{words.kept()}</p>"

    sections = "".join(f"<sec><title>H</title>{place()}</sec>" for _ in range(chance.randint(1, 4)))
    abstract = f"<abstract><p>{words.kept()} {words.maybe(wrap, 0.2)}</p></abstract>"
    floats = words.maybe(lambda: f"<floats-group>{wrap()}</floats-group>", 0.3)
    back = words.maybe(lambda: f"<back><app-group><app><title>A</title>{place()}</app></app-group></back>", 0.3)
    front = f"<front><article-meta>{abstract}</article-meta></front>"
    drawn.source = f"<article>{front}<body>{sections}</body>{back}{floats}</article>"
    return drawn


def draw_tei(seed: int) -> Drawn:
    """A TEI document with tables in figures, divisions, paragraphs, notes, lists and the abstract."""
    drawn = Drawn()
    chance = random.Random(seed)
    words = _Words(chance, drawn)

    def cell() -> str:
        drawn.n_cells += 1
        note = words.maybe(lambda: f'<note place="foot">{words.kept()}</note>', 0.1)
        inside = chance.choice(["{}", "<hi>{}</hi>", "<p>{}</p>", "<list><item>{}</item></list>"])
        return f"<cell>{inside.format(words.new(drawn.in_tables))}{note}</cell>"

    def table() -> str:
        drawn.n_tables += 1
        head = words.maybe(lambda: f"<head>Table. {words.kept()}</head>", 0.3)
        rows = ["".join(cell() for _ in range(chance.randint(1, 4))) for _ in range(chance.randint(1, 4))]
        return f"<table>{head}{''.join(f'<row>{row}</row>' for row in rows)}</table>"

    def figure() -> str:
        note = words.maybe(lambda: f"<note>{words.kept()}</note>", 0.4)
        beside = words.maybe(lambda: f"<p>{words.new(drawn.beside)}</p>", 0.2)
        caption = words.maybe(lambda: f"<head>Table 1</head><label>1</label><figDesc>{words.kept()}</figDesc>")
        one = f'<figure type="table">{caption}{table()}{beside}{note}</figure>'
        return chance.choice(["{}", "{}", "<figure>{}</figure>"]).format(one)

    def place() -> str:
        around = chance.choice(
            ["{}", "<p>A {} b</p>", "<list><item>{}</item></list>", "<div><head>S</head>{}</div>", "<quote>{}</quote>",
             '<note place="foot">Note {}</note>']
        )  # fmt: skip
        return around.format(chance.choice([table, figure])()) + f"<p>{words.kept()}</p>"

    body = "".join(f"<div><head>H</head>{place()}</div>" for _ in range(chance.randint(1, 4)))
    abstract = f"<abstract><div><p>{words.kept()} {words.maybe(table, 0.2)}</p></div></abstract>"
    back = words.maybe(lambda: f'<back><div type="annex"><div><head>A</head>{place()}</div></div></back>', 0.3)
    header = f"<teiHeader><profileDesc>{abstract}</profileDesc></teiHeader>"
    drawn.source = f"<TEI>{header}<text><body>{body}</body>{back}</text></TEI>"
    return drawn
