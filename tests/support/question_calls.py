"""Makes fixtures/questions/calls.jsonl.gz: runs docs/meta-evaluation.md with a mock judge, and exports its replies.

Run it after a change of a prompt of st-generate questions, direct or geval: ``python tests/support/question_calls.py``.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from support import examples  # noqa: E402
from support.run import ROOT, environment  # noqa: E402
from support.server import Server  # noqa: E402

FOLDER = ROOT / "fixtures" / "questions"
SCORES = {"problem": "score_problem", "method": "score_method", "type": "is_target_rq_type"}
FENCED = re.compile(r"^(text-[0-9a-f]+)\n(.*?)\n\1$", re.S | re.M)


class Judge:
    """Mock judge: the human score with random deviations of 1, less often for geval than for direct."""

    def __init__(self) -> None:
        with open(FOLDER / "dataset.csv", encoding="utf-8", newline="") as file:
            self.rows = {row["predicted_rq"]: row for row in csv.DictReader(file)}
        self.asked: Counter[str] = Counter()

    def say(self, messages: list[dict], _: int) -> str:
        """Reply to a prompt."""
        prompt = messages[-1]["content"]
        self.asked[prompt] += 1
        fenced = [text for _, text in FENCED.findall(prompt)]
        if "Reply with that one question" in prompt:
            return f"Can {_first_words(fenced[0])} be improved by {'this method' if 'PROBLEM' in prompt else 'it'}?"
        if "Reply with <thinking> first" in prompt:
            parts = "<problem>the problem</problem><method>the method</method>"
            asked = f"<question>Can {_first_words(fenced[0])} be improved by the method?</question>"
            return f"<thinking>Step by step.</thinking><research_question>{parts}{asked}</research_question>"
        if count := re.search(r"exactly (\d+) steps", prompt):
            return "\n".join(f"{n}. Look at part {n} of both texts." for n in range(1, int(count[1]) + 1))
        return self._rate(prompt, fenced[-1])

    def _rate(self, prompt: str, text: str) -> str:
        aspect = next(name for name in SCORES if re.search(rf"(?:alone: |\n){name}[.,]", prompt))
        human = int(float(self.rows[text][SCORES[aspect]]))
        digest = hashlib.sha256(f"{prompt}{self.asked[prompt]}".encode()).digest()
        is_form = "Fill in the field" in prompt
        moved = human + (digest[0] % 3 - 1 if digest[1] % 10 < (3 if is_form else 6) else 0)
        score = min(max(moved, 0), 1 if aspect == "type" else 2)
        return str(score) if is_form else f"Rating: {score}"


def _first_words(text: str) -> str:
    return " ".join(text.split()[1:5]).lower().rstrip(".")


def main() -> None:
    """Run the page and write the bundle."""
    page = examples.blocks((ROOT / "docs" / "meta-evaluation.md").read_text())
    with tempfile.TemporaryDirectory() as name, Server(sample=Judge().say) as server:
        folder = examples.furnish(Path(name))
        for block in page:
            if block.file:
                (folder / block.file).write_text(block.text)
            elif block.kind == "sh" and "st-cache import" not in block.text:
                text = block.text.replace(" --replay", "")
                examples.run_shell(folder, text, **server.environment)
        line = ["st-cache", "export", "--cache", "calls.sqlite"]
        made = subprocess.run(line, cwd=folder, env=environment(), check=True, capture_output=True).stdout
        (FOLDER / "calls.jsonl.gz").write_bytes(gzip.compress(made, 9, mtime=0))


if __name__ == "__main__":
    main()
