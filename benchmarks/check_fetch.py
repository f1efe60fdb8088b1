"""Query the real web services about a dozen papers, and check their documented behaviour: ``make check-fetch``.

It sends under 60 requests, which cost at most 0.01 USD, and needs a network. Sources that require an account or a mail
address (ST_MAILTO) are reported as not queried if it is not set. Other identifiers may be given as arguments.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

PAPERS = (
    "1706.03762", "1810.04805v2", "2005.14165", "hep-th/9901001", "10.18653/v1/N19-1423", "10.1038/nature14539",
    "10.1145/3442188.3445922", "10.18653/v1/2020.acl-main.747", "2303.08774", "1412.6980", "10.1162/neco.1997.9.8.1735",
    "1301.3781",
)  # fmt: skip
# Identifiers for sources that do not use those above.
OWN = {
    "acl-anthology": ("P18-1001", "2020.acl-main.747"), "openreview": ("openreview:rJXMpikCZ",),
    "europe-pmc": ("PMC4304851",),
    "unpaywall": ("10.1038/nature12373",), "dblp": ("dblp:conf/naacl/DevlinCLT19",), "biorxiv": ("10.1101/339747",),
    "crossref": ("10.1038/nature14539", "10.1162/neco.1997.9.8.1735"),
}  # fmt: skip
MOST_CALLS, MOST_COST = 60, 0.01
RELATED = {"openalex": ("references", "citations"), "semantic-scholar": ("references", "similar")}
CONTACT = ("crossref", "unpaywall")
FIELDS = ("title", "authors", "abstract", "year", "date", "venue", "licence")


class Check:
    """Runs actions with one cache and one budget, and counts failed checks."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.failed, self.left, self.usd = folder, 0, MOST_CALLS, MOST_COST

    def run(self, *line: str) -> tuple[int, list[dict[str, Any]], str]:
        """Run an action with the remaining budget; return its exit status, records and messages."""
        bounds = ["--max-calls", str(self.left), "--max-cost", f"{self.usd:.6f}", "--max-wait", "60"]
        command = [sys.executable, str(Path(sys.executable).parent / "st-fetch"), *line, *bounds]
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "ST_CACHE": str(self.folder)})
        told = " ".join(done.stderr.split())
        sent = re.search(r"(\d+) requests? sent", told)
        self.left -= int(sent[1]) if sent else 0
        self.usd -= float(told.partition("USD ")[2].split()[0].rstrip(",;")) if "USD " in told else 0.0
        return done.returncode, [json.loads(one) for one in done.stdout.splitlines()], told

    def tell(self, is_good: bool, what: str) -> None:
        """Print the result of a check."""
        self.failed += not is_good
        print(f"{'ok  ' if is_good else 'FAIL'} {what}")

    def papers(self, source: str, ids: tuple[str, ...]) -> None:
        """Check that a source finds papers with titles; print which fields it fills."""
        status, records, told = self.run("papers", *ids, "--source", source)
        known = [one for one in records if not one.get("errors")]
        takes = [one for one in records if (one.get("errors") or [{}])[0].get("kind") != "no-source"]
        fields = {key: sum(one.get(key) is not None for one in known) for key in FIELDS}
        is_good = status in (0, 1) and bool(known) and fields["title"] == len(known)
        self.tell(is_good, f"{source} papers: {len(known)} of {len(takes)} found; {fields}; {told}")

    def related(self, action: str, source: str, seed: str) -> None:
        """Check that a list of related papers has titles."""
        status, records, told = self.run(action, seed, "--source", source, "--limit", "5")
        known = [one for one in records if one.get("title")]
        self.tell(status in (0, 1) and bool(known), f"{source} {action}: {len(known)} records; {told}")

    def limits(self) -> None:
        """Check that each service is reachable and that its rate limits are as configured."""
        status, records, told = self.run_status()
        for one in records:
            check = one["check"]
            differs = check.get("differs") or check.get("why")
            said = (
                f"reached: {check['reached']}; limits told: {check.get('limits') or 'none'}; {differs or 'as planned'}"
            )
            self.tell(check["reached"] is not False and not check.get("differs"), f"{one['source']} limits: {said}")

    def run_status(self) -> tuple[int, list[dict[str, Any]], str]:
        """Run st-fetch status --check, which sends one free request per source; count the requests as sent."""
        command = [sys.executable, str(Path(sys.executable).parent / "st-fetch"), "status", "--check"]
        contact = os.environ.get("ST_MAILTO")
        command += ["--mailto", contact] if contact else []
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "ST_CACHE": str(self.folder)})
        records = [json.loads(one) for one in done.stdout.splitlines()]
        self.left -= sum(one["check"]["reached"] is not None for one in records)
        return done.returncode, records, done.stderr


def main(papers: tuple[str, ...]) -> int:
    """Print a line for each check; return 1 if a check failed."""
    from scholartools.sources import SOURCES

    with tempfile.TemporaryDirectory() as name:
        check = Check(Path(name))
        check.limits()
        for source in SOURCES:
            ids = papers if papers != PAPERS else OWN.get(source, papers)
            if source in CONTACT and not os.environ.get("ST_MAILTO"):
                print(f"--   {source} papers: not asked, ST_MAILTO is not set")
                continue
            if source == "openreview" and not (
                os.environ.get("OPENREVIEW_TOKEN") or os.environ.get("OPENREVIEW_USERNAME")
            ):
                print(f"--   {source} papers: not asked without an account, as it shows a challenge to programs")
                continue
            check.papers(source, ids)
        seed = papers[4] if len(papers) > 4 else papers[0]
        for source, actions in RELATED.items():
            for action in actions:
                check.related(action, source, seed)
        sent, usd = MOST_CALLS - check.left, MOST_COST - check.usd
        print(f"{sent} requests, {usd:.4f} USD, {check.failed} facts that did not hold")
    return int(check.failed > 0)


if __name__ == "__main__":
    raise SystemExit(main(tuple(sys.argv[1:]) or PAPERS))
