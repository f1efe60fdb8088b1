"""Run a command on made data: services with made papers and a made model on this machine, and people who are simulated.

    python run.py make -C ../claimcheck tables

MADE_SEED draws other papers, people and replies; MADE_LOG names a file that gets the questions to the model. Nothing here was written, rated or said by anybody.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "tests")]

import folder  # noqa: E402
from model import respond  # noqa: E402
from services import open_made_venue  # noqa: E402
from support.server import Server  # noqa: E402
from support.web_server import serving  # noqa: E402
from world import SEED, VENUE  # noqa: E402


@contextmanager
def made_world() -> Iterator[tuple[dict[str, str], Server]]:
    """The environment of a command that finds made data where others find papers, people and a model; and the model."""
    open_made_venue()
    with serving() as web, Server(respond=respond) as model:
        private = {
            name
            for name in os.environ
            if (name.startswith("ST_") and name != "ST_REPLAY") or name.endswith(("_API_KEY", "_BASE_URL"))
        }
        kept = {name: value for name, value in os.environ.items() if name not in private}
        scripts, path = str(Path(sys.executable).parent), kept["PATH"]
        if scripts not in path.split(os.pathsep):
            path = f"{scripts}{os.pathsep}{path}"
        yield {
            **kept, **model.environment, "ST_ENDPOINT_NAME": "made data", "ST_FETCH_BASE": web.base, "ST_FETCH_PACE": "0.0001",
            "VENUE": VENUE, "YEAR": "2026",
            "FORUM": VENUE, "FORUM_YEAR": "2026", "SUBMITTED": "18", "SPLIT": "150", "MODELS": "openai/made-small openai/made-middle openai/made-large",
            "SHEET": "jsonl", "SAMPLE": "80", "CONTEXTS": "60 1500", "LENGTHS": "100 3000", "XDG_CACHE_HOME": str(Path.cwd() / "cache"), "MODEL": "openai/made", "MADE_SEED": str(SEED),
            "SUMMARIES": f"{sys.executable} {HERE}/summaries.py", "PEOPLE": f"{sys.executable} {HERE}/people.py", "PATH": path,
        }, model  # fmt: skip


if __name__ == "__main__":
    if Path.cwd().name == "new" and not Path("papers").exists():
        folder.main()
    with made_world() as (environment, model):
        status = subprocess.run(sys.argv[1:], env=environment).returncode
        if log := os.environ.get("MADE_LOG"):
            Path(log).write_text("".join(json.dumps(body["messages"]) + "\n" for body in model.bodies))
        print(f"made data: the made model answered {model.requests} calls", file=sys.stderr)
    sys.exit(status)
