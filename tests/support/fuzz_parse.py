"""Fuzzing of the readers with damaged papers: seeded mutants, read in child processes that are watched for failures.

    python tests/support/fuzz_parse.py --count 2000 --seed 1 --kind pdf FILE...
    python tests/support/fuzz_parse.py --count 2000 --seed 1 --kind latex FILE-OR-FOLDER...

A finding is an exception other than InputFault, an error of our own code that was reported as a damaged file, a record
that cannot be written as JSON, a hang, a crash, or too much memory. Each is printed with the options that reproduce it
(``--only N`` with the same seed and files), and its mutant is saved in ``--keep DIR``. The exit status is 1 if there
are findings.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import resource
import selectors
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT))

HANG = 20.0  # seconds
MEMORY = 1 << 30  # bytes
ADDRESSES = 6 << 30  # limit of a child's address space in bytes
PAGES = 4  # pages kept of a seed paper: enough for front matter, body and references
TEXTS = (".tex", ".bbl", ".bib", ".sty", ".cls")


class Finding(NamedTuple):
    number: int
    what: str
    detail: str


Mutator = Callable[[random.Random, bytes], bytes]


def chunk(rng: random.Random, data: bytes, longest: int = 2000) -> tuple[int, int]:
    """Random range of the data: start and end."""
    start = rng.randrange(len(data) + 1)
    return start, min(len(data), start + rng.choice((1, 3, 10, 50, 300, longest)))


def flip(rng: random.Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.choice((1, 5, 50, 500)) if data else 0):
        changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed)


def truncate(rng: random.Random, data: bytes) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def delete(rng: random.Random, data: bytes) -> bytes:
    start, end = chunk(rng, data)
    return data[:start] + data[end:]


def duplicate(rng: random.Random, data: bytes) -> bytes:
    start, end = chunk(rng, data)
    return data[:end] + data[start:end] * rng.choice((1, 2, 20)) + data[end:]


def swap(rng: random.Random, data: bytes) -> bytes:
    (a, b), (c, d) = sorted((chunk(rng, data), chunk(rng, data)))
    return data if b > c else data[:a] + data[c:d] + data[b:c] + data[a:b] + data[d:]


def insert(words: tuple[bytes, ...]) -> Mutator:
    def mutate(rng: random.Random, data: bytes) -> bytes:
        start = rng.randrange(len(data) + 1)
        return data[:start] + rng.choice(words) + data[start:]

    return mutate


def replace(pattern: bytes, words: tuple[bytes, ...]) -> Mutator:
    """Mutator that replaces some matches of a pattern (or of its group) by random words."""
    compiled = re.compile(pattern)

    def mutate(rng: random.Random, data: bytes) -> bytes:
        places = [found.span(compiled.groups) for found in compiled.finditer(data)]
        for start, end in sorted(rng.sample(places, min(len(places), rng.choice((1, 3, 20)))), reverse=True):
            data = data[:start] + rng.choice(words) + data[end:]
        return data

    return mutate


HUGE = (b"0", b"-1", b"1e38", b"99999999999", b"2147483647", b"-2147483648", b"0.0000001", b"65536", b"nan", b"")
JUNK = (
    b"\0" * 40,
    b"\xff" * 100,
    b"[" * 3000,
    b"<<" * 2000,
    b"((((",
    b"endstream endobj",
    b"BT ET Q Q Q",
    b"q " * 5000,
)
PDF: tuple[Mutator, ...] = (
    flip, truncate, delete, duplicate, swap, insert(JUNK),
    replace(rb"\b(\d+) 0 R", (b"1", b"2", b"5", b"9", b"40", b"100000", b"0")),
    replace(rb"\n(\d+) 0 obj", (b"1", b"2", b"3", b"7")),
    replace(rb"/Length (\d+)", HUGE),
    replace(rb"(-?\d+\.?\d*)(?=[ \n\]])", HUGE),
    replace(rb"startxref\s+(\d+)", HUGE),
    replace(rb"(\d{10}) \d{5} n", (b"0000000000", b"9999999999", b"0000000015")),
    replace(rb"/(Kids|Count|Type|Contents|Resources|Font|MediaBox|Rotate|ToUnicode|Encoding|Widths|Subtype|Filter)\b",
            (b"Kids", b"Nothing", b"Font", b"Contents", b"Parent", b"Annots")),
    replace(rb"\s(Tm|Td|TD|Tf|Tj|TJ|Tr|cm|re|rg|gs|Do|BT|ET|q|Q)\s", (b"Tm", b"Tf", b"TJ", b"BT", b"ET", b"q", b"Q", b"Tz", b"Tr")),
    replace(rb"<([0-9A-Fa-f]{2,4})>", (b"D800", b"DFFF", b"0000", b"FFFF", b"FEFF", b"", b"FB01", b"D83D")),
    replace(rb"\[(-?[\d.]+ -?[\d.]+ -?[\d.]+ -?[\d.]+)\]", (b"0 0 0 0", b"0 0 1e9 1e9", b"612 792 0 0", b"-9 -9 1 1", b"0 0 3 14000")),
)  # fmt: skip
DANGERS = (
    b"{" * 3000, b"}" * 50, b"$", b"$$", b"\\[", b"\\begin{equation}", b"\\end{document}", b"\\begin{verbatim}", b"\\verb|",
    b"\\def\\x{\\x\\x}\\x ", b"\\newcommand{\\y}[9]{#1#9\\y{#1}}\\y{a}", b"\\def\\z#1#2{#2#1\\z}\\z", b"\\input{paper}",
    b"\\input{paper.tex}", b"\\include{../../../etc/passwd}", b"\\input{/etc/passwd}", b"%", b"\\", b"\\newcommand{\\section}{}",
    b"\\begin{thebibliography}{9}", b"\\bibitem", b"\\caption{", b"\\footnote{" * 300, b"\\iffalse", b"\\else", b"\\fi", b"\0",
    b"\xff\xfe", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\\section{", b"\\section*", b"\\begin{", b"\\end{", b"\\expandafter\\csname x\\endcsname",
    b"\\begin{itemize}\\item" * 500, b"#1#2##", b"^^M^^@", b"\\label{", b"&&&\\\\", b"\\catcode`\\@=11 ", b"\r\r\n\x0b\x0c",
)  # fmt: skip
LATEX: tuple[Mutator, ...] = (
    flip, truncate, delete, duplicate, swap, insert(DANGERS), insert(DANGERS),
    replace(rb"([{}])", (b"", b"{", b"}", b"{{", b"}}", b"[")),
    replace(rb"\\(begin|end)\b", (b"begin", b"end", b"item")),
    replace(rb"\\(?:begin|end)\{([A-Za-z*]+)\}", (b"equation", b"document", b"verbatim", b"table", b"comment", b"abstract", b"")),
    replace(rb"\\((?:re)?newcommand|def|let)\b", (b"def", b"let", b"newcommand", b"renewcommand")),
    replace(rb"\\([A-Za-z]+)", (b"input", b"section", b"cite", b"footnote", b"verb", b"def", b"", b"bibliography", b"begin")),
    replace(rb"\\(?:input|include|bibliography)\{([^}]*)\}", (b"paper", b"paper.tex", b"..", b"/", b"", b"\0", b"a" * 5000)),
    replace(rb"([%$&#_^~])", (b"", b"%", b"$", b"$$", b"#", b"&")),
)  # fmt: skip


def mutant(seed: int, index: int, seeds: list[Path], kind: str) -> bytes | dict[str, bytes]:
    """Mutant by its number: the bytes of a PDF, or the files of a LaTeX source."""
    rng = random.Random(f"{seed}:{kind}:{index}")
    origin = rng.choice(seeds)
    if kind == "pdf":
        return mutated(rng, origin.read_bytes(), PDF)
    files = source(origin)
    for name in rng.sample(sorted(files), min(len(files), rng.choice((1, 1, 3)))):
        files[name] = mutated(rng, files[name], LATEX)
    return files


def mutated(rng: random.Random, data: bytes, mutators: tuple[Mutator, ...]) -> bytes:
    for _ in range(rng.choice((1, 1, 2, 3, 6))):
        data = rng.choice(mutators)(rng, data)
    return data


def source(path: Path) -> dict[str, bytes]:
    """Text files of a LaTeX source by their relative paths."""
    if path.is_file():
        return {path.name: path.read_bytes()}
    files = sorted(file for file in path.rglob("*") if file.suffix in TEXTS and file.is_file())
    return {str(file.relative_to(path)): file.read_bytes() for file in files}


def prepare(files: list[Path], folder: Path) -> list[Path]:
    """PDF seeds: some pages of each paper, with compressed and with uncompressed streams (so that these mutate too)."""
    import pymupdf

    seeds: list[Path] = []
    for number, path in enumerate(files):
        with pymupdf.open(path) as document:
            last = document.page_count - 1
            document.select(sorted({0, 1, last // 2, last} & set(range(last + 1)))[:PAGES])
            for name, how in (("packed", {"garbage": 3, "deflate": True}), ("plain", {"garbage": 3, "expand": 255})):
                seeds.append(folder / f"{number:03}-{name}.pdf")
                seeds[-1].write_bytes(document.tobytes(no_new_id=True, **how))
    return seeds


def read(data: bytes | Mapping[str, bytes]) -> None:
    """Read a mutant as st-parse does, up to the output bytes; an exception is a finding."""
    import orjson

    from scholartools.errors import InputFault
    from scholartools.readers.pdf import reader as pdf

    try:
        record = pdf.read(data) if isinstance(data, bytes) else latex(data)
    except InputFault as fault:
        if "\n" in fault.reason:
            raise ValueError(f"a reason of more than one line: {fault.reason!r}") from None
        hidden = fault.__context__
        if (
            hidden is not None
            and "/readers/" in innermost(hidden)
            and not isinstance(hidden, InputFault | UnicodeDecodeError)
        ):
            raise hidden from None
        return
    orjson.dumps(record)


def latex(files: Mapping[str, bytes]) -> dict[str, Any]:
    from scholartools.readers.latex import reader

    return reader.read(files)


def innermost(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else ""


def work(kind: str, seed: int, start: int, stop: int, seeds: list[Path]) -> None:
    """Main function of a child: read mutants, and report the start and result of each as JSON lines."""
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, ADDRESSES))
    reports = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # keep output of libraries out of the reports
    for index in range(start, stop):
        data = mutant(seed, index, seeds, kind)
        print(json.dumps({"begin": index}), file=reports, flush=True)
        result = attempt(data)
        peak = peak_memory()
        if not result and peak > MEMORY:
            result = {"what": "memory", "detail": f"{peak / (1 << 20):.0f} MB"}
        print(json.dumps({"end": index, **result}), file=reports, flush=True)
        if peak > MEMORY:
            return  # the peak never falls again: the next mutant needs a new process


def peak_memory() -> int:
    """Peak memory of this program in bytes; ``ru_maxrss`` would include the memory of its parent at the start."""
    status = Path("/proc/self/status")
    found = re.search(r"VmHWM:\s*(\d+) kB", status.read_text()) if status.exists() else None
    return 1024 * (int(found[1]) if found else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


def attempt(data: bytes | Mapping[str, bytes]) -> dict[str, str]:
    try:
        read(data)
    except BaseException as error:  # noqa: BLE001  # any exception is a finding
        ours = [frame for frame in traceback.extract_tb(error.__traceback__) if "/scholartools/" in frame.filename]
        place = f"{Path(ours[-1].filename).relative_to(ROOT)}:{ours[-1].lineno}" if ours else innermost(error)
        return {"what": "traceback", "detail": f"{place} {type(error).__name__}: {' '.join(str(error).split())[:200]}"}
    return {}


def watch(kind: str, seed: int, indices: range, seeds: list[Path]) -> Iterator[Finding]:
    """Run children until all mutants are read; if a child hangs or dies, only its current mutant is skipped."""
    start = indices.start
    while start < indices.stop:
        line = [sys.executable, __file__, "--worker", f"{start}:{indices.stop}", "--seed", str(seed), "--kind", kind]
        with subprocess.Popen([*line, *map(str, seeds)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as child:
            start = yield from follow(child, start)


def follow(child: subprocess.Popen, start: int) -> Generator[Finding, None, int]:
    """Yield a child's findings; return the number of the first mutant that it did not read."""
    assert child.stdout is not None
    selector = selectors.DefaultSelector()
    selector.register(child.stdout, selectors.EVENT_READ)
    done = start
    while True:
        if not selector.select(HANG):
            child.kill()
            yield Finding(done, "hang", f"over {HANG:.0f} s")
            return done + 1
        said = child.stdout.readline()
        if not said:
            break
        report = json.loads(said)
        if "end" in report:
            done = report["end"] + 1
            if "what" in report:
                yield Finding(report["end"], report["what"], report["detail"])
    if child.wait() == 0:
        return done
    yield Finding(done, "crash", f"the process ended with status {child.returncode}")
    return done + 1


def save(keep: Path, kind: str, seed: int, index: int, data: bytes | dict[str, bytes]) -> Path:
    path = keep / f"{kind}-{seed}-{index}"
    if isinstance(data, bytes):
        keep.mkdir(parents=True, exist_ok=True)
        path = path.with_suffix(".pdf")
        path.write_bytes(data)
        return path
    for name, text in data.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(text)
    return path


def fuzz(kind: str, files: list[Path], *, seed: int, indices: range, keep: Path | None = None) -> list[Finding]:
    """Read the mutants with these numbers; print the findings, similar tracebacks once, and return all findings."""
    findings: list[Finding] = []
    known: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        seeds = prepare(files, Path(folder)) if kind == "pdf" else files
        for finding in watch(kind, seed, indices, seeds):
            findings.append(finding)
            alike = finding.detail if finding.what == "traceback" else finding.what
            known[alike] += 1
            kept = save(keep, kind, seed, finding.number, mutant(seed, finding.number, seeds, kind)) if keep else ""
            if known[alike] == 1 or finding.what != "traceback":
                again = f"--kind {kind} --seed {seed} --only {finding.number}"
                print(f"{finding.what}: {again}: {finding.detail} {kept}", flush=True)
    for alike, times in known.most_common():
        print(f"{times} x {alike}")
    return findings


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--kind", choices=("pdf", "latex"), default="pdf")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="read this one mutant again")
    parser.add_argument("--keep", type=Path, help="where to save the mutants of findings")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> int:
    given = arguments()
    if given.worker:
        start, stop = map(int, given.worker.split(":"))
        work(given.kind, given.seed, start, stop, given.files)
        return 0
    indices = range(given.count) if given.only is None else range(given.only, given.only + 1)
    began = time.perf_counter()
    findings = fuzz(given.kind, given.files, seed=given.seed, indices=indices, keep=given.keep)
    print(f"{len(indices)} mutants in {time.perf_counter() - began:.0f} s, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
