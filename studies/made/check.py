"""What a study on made data found beside what is true by construction, and whether it lies as near as it must.

    python check.py claimcheck

run in the folder of the study. Intervals of 95 percent are taken at twice their width, since of so many some miss; those of
alpha, of correlations and of scores of reviews are what chance does to them in data sets of that size, drawn by the same rules.
"""

from __future__ import annotations

import functools
import itertools
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from math import comb
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, NamedTuple

FOLDERS = Path(__file__).resolve().parents
sys.path[:0] = [str(FOLDERS[1]), str(FOLDERS[2] / "tests")]
import aaar  # noqa: E402
import sources  # noqa: E402
from layout import read  # noqa: E402
from model import SAME  # noqa: E402
from people import ADDS, MISSES, WINS  # noqa: E402
from world import (  # noqa: E402
    AROUND,
    ERRORS,
    FACETS,
    FINDS,
    KNOWS,
    NAMES,
    SYSTEMS,
    TYPES,
    WEIGHTS,
    labels_from,
    limitations,
    papers,
    rating_from,
    score_from,
)

RATERS = ["anna", "ben", "cleo", "dora", "eve"]


class Check(NamedTuple):
    """A number with its interval, and what it must be up to chance."""

    name: str
    value: float | None
    low: float | None
    high: float | None
    truth: float
    is_range: bool = False

    @property
    def holds(self) -> bool | None:
        """None where nothing can be said: the number has no value, or no interval, with its reason."""
        if self.value is None or self.low is None or self.high is None:
            return None
        if self.is_range:
            return self.low <= self.value <= self.high
        return abs(self.value - self.truth) <= 2 * max(self.value - self.low, self.high - self.value, 0.01)


def of_result(name: str, found: Mapping[str, Any], truth: float) -> Check:
    ends = found.get("interval") or found
    return Check(name, found["value"] if "value" in found else found["mean"], ends.get("low"), ends.get("high"), truth)


def both_right(raters: Sequence[str]) -> float:
    """How often two raters both say the truth: alpha, where who errs draws anew from what is true elsewhere."""
    return fmean((1 - ERRORS[one]) * (1 - ERRORS[other]) for one, other in itertools.combinations(raters, 2))


def same_claim(raters: Sequence[str]) -> float:
    """How often two raters choose one claim of six: both the true one, or one wrong one."""
    pairs = itertools.combinations(raters, 2)
    return fmean((1 - ERRORS[a]) * (1 - ERRORS[b]) + ERRORS[a] * ERRORS[b] / 5 for a, b in pairs)


LABELS = {
    "objectivity": lambda labels: labels["objectivity"],
    "agreement": lambda labels: labels["agreement"],
    **{name: (lambda labels, name=name: int(name in labels["types"])) for name in TYPES},
}


@functools.cache
def alphas_by_chance(n_items: int, design: tuple[tuple[str, ...], ...]) -> dict[str, tuple[float, float]]:
    """Between which ends alpha of each label lies in 200 data sets of a size, and one standard deviation beyond.

    Args:
        design: who rates an item; each item has one of these sets of raters.
    """
    from scholartools.metrics.agreement.coefficients import alpha

    chance, found = random.Random(n_items), {name: list[float]() for name in LABELS}
    for _ in range(200):
        items = []
        for number in range(n_items):
            truth = labels_from(chance)
            errs = [[chance.random() < ERRORS[one] for _ in range(3)] for one in design[number % len(design)]]
            fresh = [labels_from(chance) for _ in errs]
            keys = ("objectivity", "agreement", "types")
            items.append([
                {key: (own if wrong else truth)[key] for key, wrong in zip(keys, row, strict=True)}
                for own, row in zip(fresh, errs, strict=True)
            ])  # fmt: skip
        for name, value in LABELS.items():
            level = "ordinal" if name in ("objectivity", "agreement") else "nominal"
            made = alpha([[value(one) for one in item] for item in items], level).value
            found[name] += [] if made is None else [made]
    return {name: (min(ones) - stdev(ones), max(ones) + stdev(ones)) for name, ones in found.items()}


def of_alpha(name: str, label: str, value: float | None, n: int, design: tuple[tuple[str, ...], ...]) -> Check:
    """Alpha, with what chance does to it: its own interval is too short where a type is that of two weaknesses."""
    low, high = alphas_by_chance(n, design)[label.removeprefix("types:")]
    truth = fmean(both_right(raters) for raters in design)
    return Check(name, value, *((None, None) if value is None else (low, high)), truth, is_range=True)


def claimcheck() -> Iterator[Check]:
    for one in read("pilot-alpha.jsonl"):
        raters = RATERS if one.get("without") else [*RATERS, "model"]
        if one["label"] != "types":  # a set of several types is near another in part
            name = f"pilot alpha of {one['label']}, {len(raters)} raters"
            yield of_alpha(name, one["label"], one["value"], one["n_items"], (tuple(raters),))
    sees, adds = 1 - MISSES, ADDS
    marked = (3 * sees**2 + adds**2) / (3 * sees + adds)
    for one in read("pilot-spans.jsonl"):
        if one["measure"] == "exact" and one.get("raters", 0) is None:
            yield of_result("pilot F1 of weaknesses", one, marked)
    with_model = [("model", rater) for rater in RATERS]
    for one in read("pilot-claims.jsonl"):
        if one["measure"] == "exact" and (one.get("raters", 0) is None):
            raters = RATERS if one.get("without") else [*RATERS, "model"]
            yield of_result(f"pilot F1 of targets, {len(raters)} raters", one, same_claim(raters))
    scores = {(one["metric"], one.get("system")): one["corpus"] for one in read("scores.jsonl") if "system" in one}
    chosen = fmean(same_claim(pair) for pair in with_model)
    for run in ("s0", "s42", "s2025"):
        yield of_result(f"F1 of targets, {run}", scores["targets", run]["targeted.f1_exact"], chosen)
        for label in ("objectivity", "agreement", *TYPES):
            one = scores["labels", run][f"{label}.alpha"]
            n = (
                scores["labels", run]["objectivity.n"]["value"]
                if "objectivity.n" in scores["labels", run]
                else one["n"]
            )
            yield of_alpha(f"alpha of {label}, {run}", label, one["value"], int(n), tuple(with_model))
    same = next(found for (metric, _), found in scores.items() if metric == "same-issue")
    for verdict, truth in SAME.items():
        yield of_result(f"share of {verdict}", same[verdict], truth)
    said = [one["answers"]["winner"] for one in read("main-specificity.answers")]
    yield of_share("revised is more specific", said.count("revised"), len(said), WINS["revised"])
    yield of_share("neither is more specific", said.count("tie"), len(said), WINS["tie"])


@functools.cache
def scored_pairs(aspect: str) -> list[tuple[float, float]]:
    """What most of three raters say and a model of one reply, of 20,000 drawn questions where most agree."""
    chance, pairs = random.Random(aspect), []
    for _ in range(20_000):
        truth = score_from(chance, aspect)
        who = ("anna", "ben", "cleo", "model")
        *people, model = (score_from(chance, aspect) if chance.random() < ERRORS[one] else truth for one in who)
        if people.count(most := max(people, key=people.count)) > 1:
            pairs.append((most, model))
    return pairs


@functools.cache
def correlations_by_chance(measure: str, aspect: str, n: int) -> tuple[float, float, float]:
    """The correlation of all drawn pairs; and between which ends that of n of them lies in 9,998 of 10,000 data sets."""
    import numpy
    from scipy import stats

    pairs = numpy.array(scored_pairs(aspect), dtype=float)
    sets = numpy.random.default_rng(n).choice(pairs, (10_000, n))
    if measure == "spearman":
        pairs, sets = stats.rankdata(pairs, axis=0), stats.rankdata(sets, axis=1)
    with numpy.errstate(invalid="ignore"):  # a set in which all scores of a side are equal has none
        truth, *found = (numpy.corrcoef(one.T)[0, 1] for one in (pairs, *sets))
    low, high = numpy.nanquantile(found, (0.0001, 0.9999))
    return float(truth), float(low), float(high)


def of_correlation(name: str, found: Mapping[str, Any], aspect: str) -> Check:
    """A correlation, with what chance does to it: near 1 its own interval is too short on the side of the truth."""
    truth, low, high = correlations_by_chance(found["measure"], aspect, found["n"])
    value = found["value"]
    return Check(name, value, *((None, None) if value is None else (low, high)), truth, is_range=True)


def of_questions() -> Iterator[Check]:
    for one in read("agreement.jsonl"):
        if one["stat"] == "alpha":
            yield of_result(f"alpha of {one['label']}", one, both_right(["anna", "ben", "cleo"]))
    methods = (
        "direct",
        "autocalibrate",
        "icl",
        "geval",
        "analyze-rate",
        "rate-explain",
    )  # of one reply, or of equal ones
    for one in read("table5.jsonl"):
        if one["x"] in methods and one["measure"] != "kendall":
            aspect = one["each"]["aspect"]
            yield of_correlation(f"{one['measure']} of {one['x']}, {aspect}", one, aspect)
        elif one["x"] == "random" and one["measure"] == "pearson":
            yield of_result(f"pearson of chance, {one['each']['aspect']}", one, 0.0)

    for one in read("steps.jsonl"):
        if one["measure"] != "kendall":
            aspect, steps = one["each"]["aspect"], one["each"]["steps"]
            yield of_correlation(f"{one['measure']} of geval, {steps} steps, {aspect}", one, aspect)


@functools.cache
def facet_truths() -> dict[str, Any]:
    """What people's and the model's facet scores have in common, and the weights, over 20,000 drawn summaries."""
    import numpy

    chance, scores, shares, overall = random.Random(0), [], [], []
    names = list(SYSTEMS)
    for number in range(20_000):
        system, people, model = names[number % 3], {}, {}
        truth = {facet: rating_from(chance, facet, system) for facet in FACETS}
        for facet, right in truth.items():
            who = ("anna", "ben", "dora", "model")
            drawn = [rating_from(chance, facet, chance.choice(names)) for _ in who]
            said = [new if chance.random() < ERRORS[one] else right for one, new in zip(who, drawn, strict=True)]
            people[facet], model[facet] = said[0] if said[0] == said[1] else said[2], said[3]
        ends = {
            name: [found[one] / FACETS[one] for one in FACETS]
            for name, found in (("p", people), ("m", model), ("t", truth))
        }
        weights = list(WEIGHTS.values())
        scores.append([sum(map(float.__mul__, weights, ends[name])) for name in ("p", "m")])
        shares.append(ends["p"])
        overall.append(sum(map(float.__mul__, weights, ends["t"])))
    fitted = numpy.linalg.lstsq(numpy.array(shares), numpy.array(overall), rcond=None)[0]
    return {
        "r": float(numpy.corrcoef(numpy.array(scores).T)[0, 1]),
        "weights": dict(zip(FACETS, fitted / fitted.sum(), strict=True)),
    }


def of_facets() -> Iterator[Check]:
    for one in read("agreement.jsonl"):
        if one["stat"] == "kappa" and one["raters"] is None:
            yield of_result(f"kappa of {one['label']}", one, both_right(["anna", "ben"]))
    truths = facet_truths()
    for one in read("correlations.jsonl"):
        if (one["x"], one["measure"]) == ("fm", "pearson"):
            yield of_result(f"pearson of the facet score, {one['each']['dataset']}", one, truths["r"])
    found = read("weights.jsonl")[0]["normalised"]
    for facet, truth in truths["weights"].items():  # least squares tells no interval: a tenth to both sides
        yield Check(f"weight of {facet}", found[facet], found[facet] - 0.05, found[facet] + 0.05, truth)
    systems = [
        (one["system"], one["values"]["overall.score"]) for one in read("summary.jsonl") if one["metric"] == "facets"
    ]
    for system, value in systems:
        yield of_result(f"mean facet score of {system}", value, mean_score(system))


def mean_score(system: str) -> float:
    """The mean facet score that a model gives a system: the true one, drawn towards that of all systems where it errs."""

    def mean(name: str, facet: str) -> float:
        shares = SYSTEMS[name][FACETS[facet]]
        return sum(weight * rating for rating, weight in enumerate(shares, 1)) / sum(shares) / FACETS[facet]

    err = ERRORS["model"]
    return sum(
        weight * ((1 - err) * mean(system, facet) + err * fmean(mean(name, facet) for name in SYSTEMS))
        for facet, weight in WEIGHTS.items()
    )


def of_new() -> Iterator[Check]:
    found = {(one["metric"], one.get("system")): one for one in read("summary.jsonl") if "system" in one}
    yield of_result("share of reviewers' weaknesses that is found", found["match", "model"]["values"]["c_gt"], FINDS)
    yield of_result(
        "precision, which BAGELS has of the reviewers' list", found["match", "model"]["values"]["precision"], FINDS
    )
    named = [paper for paper in papers()[:20]]
    precise = fmean(
        sum(FINDS**k * (1 - FINDS) ** (n - k) * comb(n, k) * k / (k + 2) for k in range(n + 1))
        for n in (3 * len(paper.reviews) for paper in named)
    )
    yield of_result(
        "share of the model's list that reviewers state", found["match", "model"]["values"]["c_llm"], precise
    )
    shown = {one["id"]: one for one in read("tables/found.jsonl")}["the model"]
    for head, name in (("found of reviewers' (%)", "c_gt"), ("right of its own (%)", "c_llm")):
        value = found["match", "model"]["values"][name]["mean"]
        yield Check(f"{head} on the page", float(shown[head].split()[0]) / 100, value - 0.001, value + 0.001, value)
    lists = found["soft", "model"]["values"]["n_items"]
    yield of_result("length of the model's lists", lists, 2 + FINDS * fmean(3 * len(paper.reviews) for paper in named))
    known = next(one for (metric, _), one in found.items() if metric == "contamination")["corpus"]
    counts = [round(known[name]["value"]) for name in ("n_repeated", "n_reviews")]
    yield of_share("share of reviews known by heart", *counts, KNOWS)
    floor = found["match", "related"]["values"]["c_gt"]
    yield Check("share that other papers' weaknesses find", floor["mean"], -0.01, 0.01, 0.0, is_range=True)


def kappa_of(same: float, one: float, other: float) -> float:
    """Kappa of two who say one of two values by a toss where they err, and the truth else; a share of it is "same"."""
    says = [(1 - err / 2, err / 2) for err in (one, other)]  # "same" where that is true, and where it is not
    agree = sum(share * (a * b + (1 - a) * (1 - b)) for share, a, b in zip((same, 1 - same), *says, strict=True))
    shares = [same * right + (1 - same) * wrong for right, wrong in says]
    chance = shares[0] * shares[1] + (1 - shares[0]) * (1 - shares[1])
    return (agree - chance) / (1 - chance)


def passages_of(relation: str, steps: Sequence[int]) -> tuple[int, int]:
    """How many passages a system of BAGELS is shown, and how many of them are not of a paper that is so related."""
    numbers, shown = {one.name: one.number for one in papers()}, list[bool]()
    for record in read("generated.jsonl", "generated.limitations"):
        number = numbers[record["title"].partition(":")[0]]
        known = {f"{papers()[(number + step) % len(papers())].number:040x}" for step in steps}
        entries = [
            one for one in record["generated"]["limitations"] if one["system"] == f"rag-{relation}" and one["passages"]
        ]
        shown += [passage["paper"] not in known for entry in entries for passage in entry["passages"]]
    return len(shown), sum(shown)


def of_bagels() -> Iterator[Check]:
    for one in [*read("scores.jsonl"), *read("origins.jsonl")]:
        if one["metric"] == "match" and "compare" not in one:
            way = "related" if one["system"].startswith("rag") else "plain"
            whose = f" of what {one['of']}s state" if "of" in one else ""
            yield of_result(f"share{whose} found by {one['system']}", one["values"]["c_gt"], NAMES[way])
    for relation, steps in AROUND.items():
        shown, wrong = passages_of(relation, steps)
        yield exactly(f"{relation}: passages of other papers, of {shown}", wrong if shown else -1, 0)
    for one in read("marks.jsonl"):
        if one["metric"] == "extraction":  # all is extracted; a person overlooks some, and invents none
            yield of_result("precision of what is extracted", one["values"]["precision"], 1 - ERRORS["anna"])
            yield exactly("recall of what is extracted", one["values"]["recall"]["mean"], 1)
    said = [one["answers"]["verdict"] for one in read("check.answers")]
    right = 1 - fmean(ERRORS[one] for one in ("anna", "ben", "cleo")) / 2
    yield of_share("passages that are limitations", said.count("limitation"), len(said), right)
    judged = [one["value"] for one in read("ratings.part") if one["rater"] not in RATERS and one["label"] == "verdict"]
    same = judged.count("same") / len(judged)  # the made judge is never wrong
    for one in read("kappa.jsonl"):
        if one["raters"]:
            errs = [ERRORS[name] if name in RATERS else 0.0 for name in one["raters"]]
            yield of_result(f"kappa of {' and '.join(one['raters'])}", one, kappa_of(same, *errs))
    found = sum(len(paper["limitations"]) for paper in read("apart.jsonl", "limitations"))
    known = sum(len(limitations()[paper.name]) for paper in papers() if paper.is_accepted)
    yield exactly("limitations extracted", found, known)


def of_aaar() -> Iterator[Check]:
    found = {(one["metric"], one["system"]): one for one in read("scores.jsonl") if "system" in one}
    rows = {name: {**(one.get("values") or {}), **(one.get("corpus") or {})} for name, one in found.items()}
    for model, rates in aaar.MODELS.items():
        right = 1 - rates.errs
        yield of_result(f"recall of equations, {model}", rows["equations", model]["recall"], right)
        precision = right / (right + 3 * rates.errs)
        yield of_result(f"precision of equations, {model}", rows["equations", model]["precision"], precision)
        yield from of_plans(model, rows["entail", model])
        for reading in ("labeling-all", "either-no"):
            for name in ("precision", "recall", "f1"):
                found = rows["review", model][f"{reading}.{name}"]
                truth, low, high = review_means(model, reading, name, found["n"])
                label = f"{name} of reviews, {reading}, {model}"
                yield Check(label, found["mean"], low, high, truth, is_range=True)
    for one in read("lengths.jsonl"):
        if one.get("system", "all-positive") != "all-positive":  # a made model errs as often, however much it sees
            model, words = one["system"].rsplit("-", 1)
            if one["metric"] == "equations":
                right = 1 - aaar.MODELS[model].errs
                yield of_result(f"recall of equations, {model}, {words} words", one["corpus"]["recall"], right)
            else:
                yield from of_plans(model, one["values"], f", {words} words")
    yield from of_people()
    yield from of_lists(rows)
    designs = read("designs.jsonl")
    known = [one for one in sources.sources() if sources.experiments(one)]
    yield exactly("papers with experiments", len(designs), len(known))
    told = [leak for one in known for leak in sources.leaks(one)]
    yield exactly("leaks that are removed", len(set(told) & removed_sentences()), len(told))


def exactly(name: str, value: float, truth: float) -> Check:
    return Check(name, value, truth, truth, truth, is_range=True)


def of_plans(model: str, values: Mapping[str, Any], told: str = "") -> Iterator[Check]:
    """What the judge, who errs, finds covered of the plans and of people's experiments."""
    finds, errs = aaar.MODELS[model].finds, aaar.JUDGE_ERRS
    yield of_result(f"En-Recall, {model}{told}", values["recall"], finds * (1 - errs) + (1 - finds) * errs)
    lengths = [len(sources.experiments(one)) for one in sources.sources() if sources.experiments(one)]
    novel = aaar.N_NOVEL
    precise = fmean(
        sum(
            comb(n, k) * finds**k * (1 - finds) ** (n - k) * (k * (1 - errs) + novel * errs) / (k + novel)
            for k in range(n + 1)
        )
        for n in lengths
    )
    yield of_result(f"En-Precision, {model}{told}", values["precision"], precise)


def of_people() -> Iterator[Check]:
    """Ratings of plans by two people and a third, and the explanations that one accepts."""
    shares = [count / sum(aaar.LEVELS.values()) for count in aaar.LEVELS.values()]
    rated = [one for one in read("novel.jsonl") if "-figures/" not in one["item"]]  # the same plans as without figures
    for level, truth in zip(aaar.LEVELS, shares, strict=True):
        said = [one["answers"]["necessity"] for one in rated]
        yield of_share(f"plans that are {level}", said.count(level), len(said), truth)
    same = (1 - ERRORS["anna"]) * (1 - ERRORS["ben"])
    agreed = sum(one["by"]["necessity"] == "agreed" for one in rated)
    yield of_share("plans that two rate alike", agreed, len(rated), same + (1 - same) * sum(one**2 for one in shares))
    accepted: dict[str, list[bool]] = {}
    for one in read("acceptable.answers"):
        accepted.setdefault(one["item"].split("/")[1], []).append(one["answers"]["acceptable"])
    for model, ones in accepted.items():
        yield of_share(f"explanations accepted, {model}", sum(ones), len(ones), aaar.MODELS[model].explains)


def of_lists(rows: Mapping[tuple[str, str], Mapping[str, Any]]) -> Iterator[Check]:
    """How long lists of weaknesses are: each part of a paper adds a remark, and nothing else."""
    copied = read("copied.jsonl")
    reviews = sum(len(one["reviews"]) for one in copied)
    yield exactly("weaknesses of reviews, word for word", sum(len(one["weaknesses"]) for one in copied), 4 * reviews)
    for model, rates in aaar.MODELS.items():
        length = rows["soft", model]["n_items"]
        pieces = fmean(
            entry["pieces"]
            for one in read("found.jsonl")
            for entry in one["generated"]["weaknesses"]
            if entry["system"] == model
        )
        yield of_result(f"weaknesses of a paper, {model}", length, pieces + rates.finds * 3 * reviews / len(copied))
    first = next(iter(aaar.MODELS))
    more = rows["soft", first]["n_items"]["mean"] - rows["soft", f"{first}-20000"]["n_items"]["mean"]
    one_model = [
        entry for one in read("found.jsonl") for entry in one["generated"]["weaknesses"] if entry["system"] == first
    ]
    yield exactly("weaknesses that parts add", round(more, 9), round(fmean(one["pieces"] - 1 for one in one_model), 9))


def removed_sentences() -> set[str]:
    """What was taken out of the beginning of papers, before the experiments."""
    gone = set()
    for paper in read("plans.jsonl", "generated.experiments"):
        texts = {"abstract": paper["abstract"], **{one["id"]: one["text"] for one in paper["sections"]}}
        for one in paper["generated"]["experiments"][0]["given"]["removed"]:
            gone.add(" ".join(texts.get(one["in"], "")[one["start"] : one["end"]].split()))
    return gone


@functools.cache
def scored_reviews(model: str) -> dict[str, list[tuple[float, float, float]]]:
    """Precision, recall and F1 beside what most of three people say, of 4,000 drawn reviews of eight sentences."""
    chance, errs = random.Random(model), aaar.MODELS[model].errs
    found: dict[str, list[tuple[float, float, float]]] = {"labeling-all": [], "either-no": []}
    for _ in range(4000):
        truth = [chance.random() < aaar.DEFICIENT for _ in range(8)]
        votes = [
            [
                chance.random() < aaar.DEFICIENT if chance.random() < ERRORS[who] else one
                for who in ("anna", "ben", "cleo")
            ]
            for one in truth
        ]
        people = [sum(ones) > 1 for ones in votes]
        label, select = ([one != (chance.random() < errs) for one in truth] for _ in range(2))
        found["labeling-all"].append(prf(people, label))
        found["either-no"].append(prf(people, [a or b for a, b in zip(label, select, strict=True)]))
    return found


@functools.cache
def review_means(model: str, reading: str, name: str, n: int) -> tuple[float, float, float]:
    """The mean of all drawn reviews; and between which ends that of n of them lies in 9,998 of 10,000 data sets."""
    import numpy

    ones = numpy.array(scored_reviews(model)[reading])[:, ("precision", "recall", "f1").index(name)]
    low, high = numpy.quantile(numpy.random.default_rng(n).choice(ones, (10_000, n)).mean(axis=1), (0.0001, 0.9999))
    return float(ones.mean()), float(low), float(high)


def prf(truth: Sequence[bool], said: Sequence[bool]) -> tuple[float, float, float]:
    both = sum(a and b for a, b in zip(truth, said, strict=True))
    if not both:
        return 0.0, 0.0, 0.0
    return both / sum(said), both / sum(truth), 2 * both / (sum(said) + sum(truth))


def of_share(name: str, count: int, n: int, truth: float) -> Check:
    from scholartools.metrics.statistics.reliability import wilson_interval

    low, high = wilson_interval(count, n, 0.95)
    return Check(name, count / n, low, high, truth)


STUDIES = {
    "claimcheck": claimcheck,
    "questions": of_questions,
    "facets": of_facets,
    "new": of_new,
    "bagels": of_bagels,
    "aaar": of_aaar,
}


def main(study: str) -> int:
    checks = list(STUDIES[study]())
    for one in checks:
        shown = ["--" if number is None else f"{number:6.3f}" for number in (one.value, one.low, one.high, one.truth)]
        value, low, high, truth = shown
        mark = {True: "", False: "OFF", None: "?"}[one.holds]
        print(f"{mark:3} {one.name:48} {value} [{low}, {high}]  true: {truth}")
    told = [one for one in checks if one.holds is not None]
    print(
        f"{study}: {sum(map(bool, (one.holds for one in told)))} of {len(told)} as they must be; {len(checks) - len(told)} without interval"
    )
    return int(not told or not all(one.holds for one in told))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
