"""Ask the real services about 12 papers, and print what of the documentation held: ``make check-fetch``.

Under 60 requests and 0.01 USD; it needs a network, and keys where services want them. Other identifiers may be given.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

PAPERS = (
    "1706.03762", "1810.04805v2", "2005.14165", "hep-th/9901001", "10.18653/v1/N19-1423", "10.1038/nature14539",
    "10.1145/3442188.3445922", "10.18653/v1/2020.acl-main.747", "2303.08774", "1412.6980", "10.1162/neco.1997.9.8.1735",
    "1301.3781",
)  # fmt: skip
MOST_CALLS, MOST_COST = 12, "0.002"  # of each of the five runs


def run(folder: Path, *line: str) -> tuple[int, list[dict], str]:
    """Status, records and messages of an action, with a cache of its own."""
    bounds = ["--max-calls", str(MOST_CALLS), "--max-cost", MOST_COST, "--max-wait", "60"]
    env_line = [sys.executable, str(Path(sys.executable).parent / "st-fetch"), *line, *bounds]
    done = subprocess.run(env_line, capture_output=True, text=True, env={**_environment(), "ST_CACHE": str(folder)})
    return done.returncode, [json.loads(one) for one in done.stdout.splitlines()], done.stderr.strip()


def _environment() -> dict[str, str]:
    import os

    return dict(os.environ)


def main(papers: tuple[str, ...]) -> int:
    """Print a line for each fact; the status is 1 where one did not hold or could not be looked at."""
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for source in ("arxiv", "openalex", "semantic-scholar"):
            status, records, told = run(folder, "papers", *papers, "--source", source)
            known = [one for one in records if not one.get("errors")]
            takes = [one for one in records if (one.get("errors") or [{}])[0].get("kind") not in ("no-source",)]
            fields = {key: sum(one.get(key) is not None for one in known) for key in ("title", "abstract", "year")}
            is_good = status in (0, 1) and bool(known) and fields["title"] == len(known)
            print(
                f"{'ok  ' if is_good else 'FAIL'} {source} papers: {len(known)} of {len(takes)} found; {fields}; {told}"
            )
            failed += not is_good
        for action, source in (("references", "openalex"), ("similar", "semantic-scholar")):
            status, records, told = run(folder, action, papers[4], "--source", source, "--limit", "5")
            known = [one for one in records if one.get("title")]
            is_good = status in (0, 1) and bool(known)
            print(f"{'ok  ' if is_good else 'FAIL'} {source} {action}: {len(known)} records; {told}")
            failed += not is_good
    return int(failed > 0)


if __name__ == "__main__":
    raise SystemExit(main(tuple(sys.argv[1:]) or PAPERS))
