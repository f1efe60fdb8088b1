"""Everything that may happen to the lines, files and money of batches, drawn at once: the output is an online run's."""

from __future__ import annotations

import hashlib
import json
import random
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.batch_server import BatchServer
from support.model_runs import papers
from support.run import BIN, environment, st
from support.run_batch import run_batch
from support.server import Server, completion, disturbed, facets

from scholartools.llm.usage.budget import price_of
from scholartools.money import usd

MODEL = "openai/gpt-4o-mini"
FULL, IN_BATCH = price_of(MODEL), price_of(MODEL, in_batch=True)
Lines = list[dict[str, Any]]


def answering(seed: int, share: float) -> Callable:
    """How a prompt is answered, by its words alone: when and how often it is asked changes nothing in the end."""

    def respond(body, times):
        draw = random.Random(f"{seed} {json.dumps(body['messages'], sort_keys=True)}")
        if draw.random() < share and times <= draw.choice([1, 2]):
            return draw.choice([429, 500, 503]), {"error": {"message": "broken"}}, {}
        fault = draw.choice(["invalid", "fence", "prose"]) if draw.random() < share else None
        made = completion(*disturbed(fault, facets(body["messages"])))
        sent, replied = len(json.dumps(body)), 90
        made["usage"] = {"prompt_tokens": sent, "completion_tokens": replied, "total_tokens": sent + replied}
        return 200, made, {}

    return respond


def spoil(draw: random.Random, lines: Lines, lost: Counter) -> Lines:
    """Another order, lines that are lost, that come twice with other words, that answer no question or are none."""
    kept = [line for line in draw.sample(lines, len(lines)) if draw.random() > 0.15]
    lost.update(line["custom_id"] for line in lines if line not in kept)
    made = list(kept)
    for line in draw.sample(kept, min(len(kept), draw.randint(0, 2))):
        made.append(json.loads(json.dumps(line).replace("Paper", "Book")))
        made.insert(0, {**line, "custom_id": hashlib.sha256(json.dumps(line).encode()).hexdigest()})
        made.insert(0, {**line, "custom_id": f"{line['custom_id']}0"})
    return [*made, {"custom_id": 3}] if draw.random() < 0.3 else made


@pytest.mark.parametrize("seed", range(3))
def test_files_in_any_state_give_the_output_of_an_online_run(seed, tmp_path):
    """Parts are answered in any order or later, deleted before they are; replies are spoilt, cut, and of another part."""
    draw, lost, share = random.Random(seed), Counter(), (0, 0.2, 0.2)[seed]
    (tmp_path / "in.jsonl").write_bytes(papers(draw.randint(6, 14)))
    line = ["st-facets", "--model", MODEL, "--retries", "12", tmp_path / "in.jsonl"]
    with Server(respond=answering(seed, share)) as server:
        whole = st(*line, env={**server.environment, "ST_CACHE": str(tmp_path / "online")})
        n_online = server.requests
    n_deleted = 0
    with Server(respond=answering(seed, share)) as server:
        env = {**server.environment, "ST_CACHE": str(tmp_path / "cache")}
        for turn in range(30):
            size = str(draw.choice([1, 3, 100]))
            done = st(*line, "--batch-file", tmp_path / "dir", "--part-size", size, env=env)
            if done.status != 5:
                break
            parts = [path for path in (tmp_path / "dir").glob("part-????.jsonl") if not replies_to(path).exists()]
            for part in draw.sample(parts, len(parts)):
                if turn < 15 and draw.random() < 0.15:
                    part.unlink()
                    n_deleted += 1
                elif turn >= 15 or draw.random() < 0.6:
                    run_batch(str(part), str(replies_to(part)), f"http://127.0.0.1:{server.port}/v1", draw.random())
                    if turn < 15 and draw.random() < 0.6:
                        spoil_file(draw, replies_to(part), lost)
        n_asked = server.requests
    assert (done.status, done.out) == (whole.status, whole.out), done.err
    assert n_online <= n_asked <= n_online + sum(lost.values()), n_deleted


def replies_to(part: Path) -> Path:
    return part.with_suffix(".out.jsonl")


def spoil_file(draw: random.Random, path: Path, lost: Counter) -> None:
    lines = spoil(draw, [json.loads(line) for line in path.read_bytes().splitlines()], lost)
    data = [json.dumps(line).encode() for line in lines]
    if data and draw.random() < 0.3:
        lost.update([str(lines[-1]["custom_id"])])
        data[-1] = data[-1][: draw.randrange(1, len(data[-1]))]
    path.write_bytes(draw.choice([b"\n", b"\r\n", b"\n\n"]).join(data))


class Storm:
    """What happens at a provider, and to the command that asks it; nothing any more once it is over.

    Attributes:
        charged: USD that the provider charges, at the price of batches for their lines.
    """

    def __init__(self, seed: int) -> None:
        self.draw, self.lost, self.charged, self.is_over = random.Random(seed), Counter(), 0.0, False
        self.process: subprocess.Popen[bytes] | None = None
        self._answer = answering(seed, self.draw.choice([0, 0.2]))
        self.server = BatchServer(
            respond=self.respond, fate=self.fate, spoil=self.spoil, trouble=self.trouble, after=self.draw.choice([1, 2])
        )

    def respond(self, body, times):
        """The usual reply, with its price noted."""
        made = self._answer(body, times)
        if made[0] == 200:
            price = FULL if "Authorization" in self.server.headers[-1] else IN_BATCH
            self.charged = usd(self.charged, price.of(made[1]["usage"]["prompt_tokens"], 90))
        return made

    def trouble(self, name: str, _: int) -> Any:
        if self.is_over or self.draw.random() > 0.2:
            return None
        if name.startswith("DELETE"):  # what is refused here is told, and stays
            return self.kill
        return self.draw.choice([429, 500, "drop", "cut", self.kill, self.kill])

    def kill(self) -> bool:
        """Kill the command when the provider has done what it asked for, and before it is told so."""
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        return True

    def fate(self, _: int, lines: Lines) -> dict[str, Any] | None:
        if self.is_over or (drawn := self.draw.random()) > 0.4:
            return None
        if drawn < 0.1 and len(lines) > 1:
            return {"fails": "token_limit_exceeded"}
        return {"ends": self.draw.choice(["expired", "cancelled"]), "done": self.draw.randint(0, len(lines))}

    def spoil(self, lines: Lines, _: int) -> Lines:
        return lines if self.is_over or self.draw.random() < 0.5 else spoil(self.draw, lines, self.lost)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_a_storm_at_the_provider_costs_no_reply_and_no_more_than_the_limit(seed, tmp_path):
    """With kills: what is charged never passes --max-cost, and nothing is asked again that was not lost."""
    storm, draw = Storm(seed), random.Random(seed)
    (tmp_path / "in.jsonl").write_bytes(papers(draw.randint(6, 12)))
    line = ["st-facets", "--model", MODEL, "--max-tokens", "100", "--retries", "12", tmp_path / "in.jsonl"]
    with Server(respond=storm._answer) as server:
        whole = st(*line, env={**server.environment, "ST_CACHE": str(tmp_path / "online")})
        n_online = server.requests
    limit = draw.uniform(0.0005, 0.002)
    more = ["--batch", tmp_path / "dir", "--part-size", draw.choice(["1", "3", "100"]), "--max-wait", "60"]
    with storm.server as server:
        env = environment(**server.environment, ST_CACHE=str(tmp_path / "cache"))
        for turn in range(24):
            storm.is_over = turn >= 12
            wait = ["--batch-wait", draw.choice(["0", "1"]), "--max-cost", repr(limit)]
            storm.process = subprocess.Popen(
                [BIN / line[0], *line[1:], *more, *wait], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
            out, told = storm.process.communicate(timeout=120)
            status, err = storm.process.returncode, told.decode()
            assert status in (0, 4, 5, -9) and "Traceback" not in err, err
            assert storm.charged <= limit
            if status == 0:
                break
            if status == 4:
                assert "--max-cost" in err or not storm.is_over, err
                limit *= 1.5
        assert (status, out) == (whole.status, whole.out), err
        assert n_online <= server.requests <= n_online + sum(storm.lost.values())
        assert server.files == {}
