r"""Random papers in LaTeX, with the sections before the experiments known.

The text of each section has a unique word. The headings are undisputed for a reader of the whole paper: parts of a
method, even if they sound like a test ("Policy evaluation", "Resulting algorithm", "4.6 Implementation Details"), or
experiments. A paper has the order of its field: experiments after the method, results before the methods, a sequence of
studies, everything in one section, or no experiments (a guide, theorems).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

BEFORE, EXPERIMENTS, BEHIND, BACK = "before", "experiments", "behind", "back"

_SUBJECTS = ("Page readers", "Gated queues", "Sparse trees", "Sharks", "Tidal locks", "Word lattices", "Rank filters")
_INTRODUCTIONS = ("Introduction", "Introduction", "Introduction and Motivation", "Overview")
_OTHERS = ("Related Work", "Background", "Preliminaries", "Notation", "Prior Work", "Literature Review", "Basics")
_METHODS = (
    "Method", "Methods", "Methodology", "Our Approach", "Proposed Method", "The {subject} Model", "System Design",
    "Architecture", "Algorithm", "{subject}", "From {subject} to Trees", "Problem Formulation", "Theory",
    "Model Description", "Framework",
)  # fmt: skip
# Parts of a method, some of which may also be sections.
_PARTS = (
    "Encoder", "Decoding", "Objective", "Loss Function", "Complexity", "Inference", "Notation", "Sampling of {subject}",
    "Convergence", "Regularization", "Data Model", "Features", "Update Rule", "Problem Definition", "Assumptions",
    "Derivation", "Software Architecture", "Interface", "Limits of {subject}",
)  # fmt: skip
_SETTINGS = (
    "Implementation Details", "Implementation", "Training", "Training Procedure", "Training and Inference",
    "Training Details", "Training Objective", "Training Strategy", "GPU Implementation", "Implementation of {subject}",
    "Efficient Implementation", "Implementation Notes", "A Parallel Implementation", "Training Algorithm",
    "Model Training", "Training Process", "Practical Implementation", "Implementation in Python", "Training of {subject}",
    "Pre-training", "Two-Stage Training", "Training Loss", "Implementation Aspects", "Joint Training",
)  # fmt: skip
# Names of methods, theorems or their parts that sound like experiments.
_SOUNDING = (
    "Policy Evaluation", "Query Evaluation", "Lazy Evaluation", "Function Evaluation", "Evaluation of Integrals",
    "Resulting Algorithm", "The Resulting Model", "Performance Guarantees", "Performance Model", "Performance Bounds",
    "Input Validation", "Empirical Risk Minimization", "Empirical Bayes", "Empirical Likelihood",
    "Theoretical Results", "Convergence Results", "Existence Results", "Technical Results", "Simulation-Based Inference",
    "Optimal Experimental Design",
    "Auxiliary Results", "Hypothesis Testing", "Measurement Model", "Test Statistic",
    "Results from Convex Analysis", "Stability Results", "Evaluation Function",
)  # fmt: skip
# Parts of a section on related work.
_OF_OTHERS = (
    "Empirical Studies of {subject}", "Evaluation of {subject}", "Simulation of {subject}", "Benchmarks", "Datasets",
    "Results on {subject}", "Validation of {subject}", "{subject}", "Training of {subject}", "Experimental Studies",
)  # fmt: skip
_EXPERIMENTS = (
    "Experiments", "Experiments", "Experimental Results", "Results", "Evaluation", "Experimental Evaluation",
    "Experiments and Results", "Results and Discussion", "Numerical Experiments", "Simulation Study", "Case Study",
    "Empirical Study", "Experimental Setup", "Performance Evaluation", "User Study", "Real Data Analysis", "Simulations",
    "Experiments on {subject}", "Numerical Results", "Empirical Evaluation", "Experimental Setup and Results",
    "Validation", "Main Results on {subject}", "Experiment", "Ablation Study", "Experimental Settings", "Benchmarks",
    "Evaluation and Results", "Quantitative Evaluation", "Implementation and Evaluation", "Empirical Results",
    "Experimental Analysis", "Case Studies", "Numerical Examples", "Findings", "Evaluation Setup", "Computational Results",
    "Comparison with Baselines", "Simulation Results", "Experimental Validation", "Implementation and Results",
    "Training and Results", "Evaluation Results", "Application to Real Data", "Performance Comparison",
    "Evaluation and Discussion", "Performance Evaluation and Discussion", "Simulations and Discussion",
    "Results and Conclusions", "Experiments and Conclusion", "Evaluation and Conclusion", "Evaluation and Limitations",
    "Results, Discussion, and Conclusion", "Simulation Results and Future Work", "Benchmarks and Lessons Learned",
    "Experimental Validation of the Theory", "Numerical Verification of Theoretical Rates", "Numerical Verification",
    "Empirical Verification of Theoretical Results", "Simulations of the Theory",
    "Quantitative Results", "Experimental Study", "Computational Experiments", "Empirical Analysis",
)  # fmt: skip
# Headings of experiments that contain a name which sounds like experiments.
_SOUNDING_TESTED = (
    "{name} Experiments", "Experiments with {name}", "{name}: Experimental Results", "Results of {name}",
    "Evaluation of {name}", "Experimental Evaluation of {name}",
)  # fmt: skip
_NAMES = ("Policy Evaluation", "Query Evaluation", "Empirical Bayes", "Simulation-Based Inference")
_IN_EXPERIMENTS = (
    "Data", "Datasets", "Setup", "Baselines", "Metrics", "Implementation Details", "Training", "Main Results",
    "Ablations", "Results", "Error Analysis", "Results on {subject}", "Hyperparameters", "Evaluation Metrics", "Runtime",
)  # fmt: skip
_STUDIES = ("Study {n}: {subject}", "Experiment {n}", "Experiment {n}: {subject}", "Case Study {n}")
_BEHIND = ("Discussion", "Conclusion", "Conclusions", "Limitations", "Conclusion and Future Work", "Future Work")
_APPENDICES = (
    "Proofs", "Implementation Details", "Additional Experiments", "Hyperparameters", "Additional Results",
    "Training Details", "Dataset Details",
)  # fmt: skip
_GUIDE = (
    "Implementation", "Installation", "Usage", "Interface", "Design", "Quick Start", "Training", "Software Architecture",
    "Input Validation", "Data Model", "Architecture", "Implementation Details", "Availability and Implementation",
)  # fmt: skip
_THEOREMS = (
    "Preliminaries", "Notation", "Proofs", "Empirical Risk Minimization", "Performance Guarantees", "Hypothesis Testing",
    "Convergence", "Assumptions", "Empirical Likelihood",  "Policy Evaluation",
)  # fmt: skip


@dataclass
class Drawn:
    """A section: its heading, its depth, its side of the cut, and its unique word."""

    heading: str
    depth: int
    side: str
    word: str


@dataclass
class Cut:
    """A paper with its ground truth."""

    order: str
    sections: list[Drawn] = field(default_factory=list)
    source: str = ""

    def add(self, heading: str, side: str, depth: int = 1) -> None:
        self.sections.append(Drawn(heading, depth, side, f"qu{_letters(len(self.sections))}z"))

    def of(self, *sides: str) -> list[Drawn]:
        return [one for one in self.sections if one.side in sides]


def _letters(number: int) -> str:
    return "abcdeghikl"[number // 10] + "abcdeghikl"[number % 10]


def draw(random_: random.Random) -> Cut:
    """A paper with a random order of sections and style of headings."""
    order = random_.choice(list(_ORDERS))
    cut = Cut(order)
    cut.add(_named(random_, _INTRODUCTIONS), BEFORE)
    _ORDERS[order](random_, cut)
    _write(random_, cut)
    return cut


def _named(random_: random.Random, headings: Sequence[str], n: int = 1) -> str:
    return random_.choice(headings).format(subject=random_.choice(_SUBJECTS), n=n)


def _add_method(random_: random.Random, cut: Cut) -> None:
    for _ in range(random_.randint(0, 2)):
        cut.add(_named(random_, _OTHERS), BEFORE)
        for _ in range(random_.choice((0, 0, 2, 3))):
            cut.add(_named(random_, _OF_OTHERS), BEFORE, 2)
    for _ in range(random_.randint(1, 3)):
        cut.add(_named(random_, _METHODS), BEFORE)
        for _ in range(random_.choice((0, 0, 2, 3, 4))):
            kind = random_.choice((_PARTS, _PARTS, _SETTINGS, _SOUNDING))
            cut.add(_named(random_, kind), BEFORE, 2)
            if random_.random() < 0.1:
                cut.add(_named(random_, random_.choice((_PARTS, _SETTINGS))), BEFORE, 3)
    if random_.random() < 0.3:
        cut.add(_named(random_, random_.choice((_SETTINGS, _SOUNDING, _PARTS))), BEFORE)


def _add_behind(random_: random.Random, cut: Cut) -> None:
    for _ in range(random_.randint(0, 2)):
        cut.add(_named(random_, _BEHIND), BEHIND)
    for _ in range(random_.choice((0, 0, 1, 2))):
        cut.add(_named(random_, _APPENDICES), BACK)


def _add_parts(random_: random.Random, cut: Cut) -> None:
    for _ in range(random_.choice((0, 0, 2, 3))):
        cut.add(_named(random_, _IN_EXPERIMENTS), EXPERIMENTS, 2)


def _draw_classic(random_: random.Random, cut: Cut) -> None:
    _add_method(random_, cut)
    for _ in range(random_.randint(1, 2)):
        tested = random_.choice(_SOUNDING_TESTED).format(name=random_.choice(_NAMES))
        cut.add(tested if random_.random() < 0.2 else _named(random_, _EXPERIMENTS), EXPERIMENTS)
        _add_parts(random_, cut)
    _add_behind(random_, cut)


def _draw_results_first(random_: random.Random, cut: Cut) -> None:
    cut.add(random_.choice(("Results", "Results and Discussion")), EXPERIMENTS)
    _add_parts(random_, cut)
    cut.add(random_.choice(("Discussion", "Conclusion")), BEHIND)
    cut.add(random_.choice(("Methods", "Materials and Methods", "Online Methods")), BEHIND)
    for _ in range(random_.choice((0, 2, 3))):
        cut.add(_named(random_, (*_PARTS, *_SETTINGS)), BEHIND, 2)


def _draw_studies(random_: random.Random, cut: Cut) -> None:
    _add_method(random_, cut)
    kind = random_.choice(_STUDIES)
    for number in range(1, random_.randint(3, 5)):
        cut.add(_named(random_, [kind], number), EXPERIMENTS)
        _add_parts(random_, cut)
    _add_behind(random_, cut)


def _draw_nested(random_: random.Random, cut: Cut) -> None:
    """The experiments are the last subsection of the section on the method."""
    _add_method(random_, cut)
    cut.add(_named(random_, _METHODS), BEFORE)
    for _ in range(random_.randint(1, 3)):
        cut.add(_named(random_, random_.choice((_PARTS, _SETTINGS))), BEFORE, 2)
    outright = ("Experiments", "Experimental Results", "Results", "Numerical Experiments", "Experimental Setup")
    cut.add(_named(random_, outright), EXPERIMENTS, 2)
    _add_behind(random_, cut)


def _draw_guide(random_: random.Random, cut: Cut) -> None:
    for heading in random_.sample(_GUIDE, random_.randint(3, 6)):
        cut.add(heading, BEFORE, random_.choice((1, 1, 2)))
    if random_.random() < 0.5:
        cut.add("Conclusion", BEFORE)
    if random_.random() < 0.5:
        cut.add(random_.choice(("Proofs", "Implementation Details", "Training Details")), BACK)


def _draw_theorems(random_: random.Random, cut: Cut) -> None:
    for heading in random_.sample(_THEOREMS, random_.randint(3, 6)):
        cut.add(heading, BEFORE, random_.choice((1, 1, 2)))
    if random_.random() < 0.5:
        cut.add("Conclusion", BEFORE)


_ORDERS: dict[str, Callable[[random.Random, Cut], None]] = {
    "classic": _draw_classic,
    "more classic": _draw_classic,
    "results first": _draw_results_first,
    "studies": _draw_studies,
    "nested": _draw_nested,
    "guide": _draw_guide,
    "theorems": _draw_theorems,
}
_AROUND = {
    "bold": r"\textbf{{{}}}",
    "colon": "{}:",
    "twice": r"\texorpdfstring{{{0}}}{{{0}}}",
    "label": r"{}\label{{x}}",
}
_LEVELS = {1: "section", 2: "subsection", 3: "subsubsection"}
_SENTENCES = (
    "The page {word} is turned over and laid beside the other one.",
    "Each part of {word} speaks for the whole of it.",
    "A queue {word} is kept in the order of its names.",
)


def _write(random_: random.Random, cut: Cut) -> None:
    """Write the source: headings in one style, and sections of sentences without content."""
    style = random_.choice(("numbered", "numbered", "starred", "printed", "roman", "capitals", "small", *_AROUND))
    counts = [0, 0, 0]
    lines = [r"\documentclass{article}", r"\title{On pages}", r"\begin{document}", r"\maketitle"]
    lines.append(r"\begin{abstract}Pages are turned. They are laid down.\end{abstract}")
    has_appendix = False
    for one in cut.sections:
        counts[one.depth - 1] += 1
        counts[one.depth :] = [0] * (3 - one.depth)
        if one.side == BACK and not has_appendix:
            has_appendix = True
            lines.append(r"\appendix")
        lines.append(_write_heading(one, counts, "numbered" if has_appendix else style))
        lines += [random_.choice(_SENTENCES).format(word=one.word) for _ in range(random_.randint(1, 3))]
    cut.source = "\n".join([*lines, r"\end{document}"])


def _write_heading(one: Drawn, counts: Sequence[int], style: str) -> str:
    command, heading = _LEVELS[one.depth], one.heading
    if style in ("printed", "roman"):
        romans = ("0", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII")
        first = romans[counts[0]] if style == "roman" and one.depth == 1 else str(counts[0])
        number = ".".join([first, *map(str, counts[1 : one.depth])])
        return rf"\{command}*{{{number}{'.' if one.depth == 1 else ''} {heading}}}"
    heading = heading.upper() if style == "capitals" else heading.capitalize() if style == "small" else heading
    heading = _AROUND[style].format(heading) if style in _AROUND else heading
    return rf"\{command}{'*' if style == 'starred' else ''}{{{heading}}}"
