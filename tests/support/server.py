"""A small OpenAI-compatible server on 127.0.0.1 for tests: it quotes facets, and fails like real servers.

Faults depend only on the prompt and the attempt, so that the order of requests does not matter.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import threading
from collections import Counter
from typing import Any

from aiohttp import web

SENTENCE = re.compile(r".+?\.(?=\s|$)", re.S)
FACETS = ("background", "method", "result", "conclusion")


class Server:
    """Answers chat completions while ``with Server(...) as server`` runs; ``port`` is its port.

    Args:
        faults: share of each fault: "429", "500", "drop", "cut", "fence", "prose", "invalid", "empty", "length",
            "refusal".
        latency: delay of an answer in seconds.
        heals: whether faults are drawn anew for a repeated prompt; otherwise it always gets the same one.
        answer: function of the messages that returns the reply's content; default: the facets of the fenced text.
        sample: function of the messages and the number of the sample, from 0, that replaces ``answer``; the number is
            the index among the replies of a call (``n``), or the number of earlier requests with the same prompt.
        logprobs: function of the content that returns the log probabilities of its tokens, for requests that want them.
        takes_n: whether a request for several replies gets them all, instead of one.
        body: JSON body of every answer, instead of a completion.
        status: HTTP status of answers with ``body``.
        usage: whether replies have token counts.
        dies_after: number of good answers after which the server closes its port and connections.
        breaks_after: number of good answers after which it answers 502, like a gateway without its server.
        breaks_on: phrases; prompts that contain one always get status 502.
        respond: function of the decoded request and the number of its prompt's requests so far that returns ``(status,
            body, headers)`` (a body other than str or bytes is sent as JSON), or None for the usual answer.
    """

    def __init__(
        self, faults=None, *, latency=0.0, heals=True, answer=None, body=None, status=200, usage=True, respond=None,
        sample=None, logprobs=None, takes_n=True, dies_after=float("inf"), breaks_after=float("inf"), breaks_on=(),
    ):  # fmt: skip
        self.faults = faults or {}
        self.latency = latency
        self.heals = heals
        self.answer = answer or facets
        self.sample, self.logprobs, self.takes_n = sample, logprobs, takes_n
        self.body, self.status, self.usage = body, status, usage
        self.dies_after, self.breaks_after, self.breaks_on = dies_after, breaks_after, breaks_on
        self.respond = respond
        self.asked: Counter[str] = Counter()
        self.good: Counter[str] = Counter()
        self.again_after_good = 0
        self.headers: list[dict[str, str]] = []
        self.bodies: list[dict[str, Any]] = []
        self.in_flight = self.peak = 0

    def __enter__(self) -> Server:
        self._loop = asyncio.new_event_loop()
        started = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(started,), daemon=True)
        self._thread.start()
        started.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    @property
    def requests(self) -> int:
        return sum(self.asked.values())

    @property
    def environment(self) -> dict[str, str]:
        """Variables that direct a command to this server; all test servers share an endpoint name."""
        return {
            "OPENAI_BASE_URL": f"http://127.0.0.1:{self.port}/v1",
            "OPENAI_API_KEY": "sk-canary-0123456789",
            "ST_ENDPOINT_NAME": "mock",
        }

    def _run(self, started: threading.Event) -> None:
        asyncio.set_event_loop(self._loop)
        app = web.Application(client_max_size=64 * 2**20)
        self._routes(app)
        runner = web.AppRunner(app, access_log=None)
        self._loop.run_until_complete(runner.setup())
        self._site = web.TCPSite(runner, "127.0.0.1", 0)
        self._loop.run_until_complete(self._site.start())
        self.port = self._site._server.sockets[0].getsockname()[1]
        started.set()
        self._loop.run_forever()
        self._loop.run_until_complete(runner.cleanup())

    def _routes(self, app: web.Application) -> None:
        app.router.add_post("/v1/chat/completions", self._complete)

    async def _complete(self, request: web.Request) -> web.StreamResponse:
        self.in_flight += 1
        self.peak = max(self.peak, self.in_flight)
        try:
            return await self._answer(request)
        finally:
            self.in_flight -= 1

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.headers.append(dict(request.headers))
        self.bodies.append(body)
        key = hashlib.sha256(json.dumps(body["messages"], sort_keys=True).encode()).hexdigest()
        self.asked[key] += 1
        self.again_after_good += self.good[key] > 0
        fault = self._fault(key, self.asked[key] if self.heals else 1)
        await asyncio.sleep(self.latency)
        if self.respond is not None and (made := self.respond(body, self.asked[key])) is not None:
            status, data, headers = made
            data = data if isinstance(data, (str, bytes)) else json.dumps(data)
            data = data.encode() if isinstance(data, str) else data
            return web.Response(body=data, status=status, headers=headers, content_type="application/json")
        if self.body is not None:
            return web.json_response(self.body, status=self.status)
        if sum(self.good.values()) >= self.dies_after:
            return self._die(request)
        poison = any(words in str(body["messages"]) for words in self.breaks_on)
        if poison or sum(self.good.values()) >= self.breaks_after:
            return web.json_response({"error": {"message": "bad gateway"}}, status=502)
        if fault == "429":
            return web.json_response({"error": {"message": "slow down"}}, status=429, headers={"Retry-After": "0.05"})
        if fault == "500":
            return web.json_response({"error": {"message": "broken"}}, status=500)
        if fault == "drop":
            request.transport.close()
            return web.Response()
        made = self._complete_choices(body, key, fault)
        if fault == "refusal":
            made["choices"][0]["message"] |= {"content": None, "refusal": "I cannot help with that."}
        if not self.usage:
            del made["usage"]
        reply = json.dumps(made).encode()
        if fault == "cut":
            return web.Response(body=reply[: len(reply) // 2], content_type="application/json")
        if fault not in ("empty", "length", "invalid", "refusal"):
            self.good[key] += 1
        return web.Response(body=reply, content_type="application/json")

    def _complete_choices(self, body: dict[str, Any], key: str, fault: str | None) -> dict[str, Any]:
        """Completion with the requested number of choices, each with its own fault."""
        count = body.get("n", 1) if self.takes_n else 1
        choices = []
        for place in range(count):
            own = fault if not place else self._fault(f"{key} {place}", self.asked[key] if self.heals else 1)
            said, finish = disturbed(own, self._say(body["messages"], place if count > 1 else self.asked[key] - 1))
            choice = completion(said, finish)["choices"][0] | {"index": place}
            if body.get("logprobs") and self.logprobs is not None:
                choice["logprobs"] = {"content": self.logprobs(said)}
            choices.append(choice)
        usage = {"prompt_tokens": 100, "completion_tokens": 50 * count, "total_tokens": 100 + 50 * count}
        return completion("", "stop") | {"choices": choices, "usage": usage}

    def _say(self, messages: list[dict[str, Any]], number: int) -> str:
        return self.answer(messages) if self.sample is None else self.sample(messages, number)

    def _die(self, request: web.Request) -> web.Response:
        request.transport.close()
        self._site._server.close()
        return web.Response()

    def _fault(self, key: str, attempt: int) -> str | None:
        draw = int(hashlib.sha256(f"{key} {attempt}".encode()).hexdigest()[:12], 16) / 16**12
        for fault, share in self.faults.items():
            if draw < share:
                return fault
            draw -= share
        return None


def fenced(messages: list[dict[str, Any]]) -> str:
    """First fenced text of a prompt."""
    prompt = next(message["content"] for message in messages if message["role"] == "user")
    return re.search(r"^(text-[0-9a-f]+)\n(.*?)\n\1$", prompt, re.S | re.M)[2]


def facets(messages: list[dict[str, Any]]) -> str:
    """Reply with the sentences of the fenced text, distributed over the four facets in order."""
    text = fenced(messages)
    sentences = [sentence.strip() for sentence in SENTENCE.findall(text)] or [text]
    made = {facet: [] for facet in FACETS}
    for number, sentence in enumerate(sentences):
        made[FACETS[min(number * 4 // len(sentences), 3)]].append(sentence)
    return json.dumps(made)


def disturbed(fault: str | None, content: str) -> tuple[str, str]:
    """Content and finish reason of a reply with a fault."""
    if fault == "fence":
        return f"```json\n{content}\n```", "stop"
    if fault == "prose":
        return f"Sure, here are the facets:\n{content}\nTell me if you need more.", "stop"
    if fault == "invalid":
        return content.replace('"', "", 3).replace("]", "", 2), "stop"
    if fault in ("empty", "refusal"):
        return "", "stop"
    if fault == "length":
        return content[: len(content) // 2], "length"
    return content, "stop"


def completion(content: str, finish: str) -> dict[str, Any]:
    return {
        "id": "c",
        "object": "chat.completion",
        "created": 0,
        "model": "mock",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": finish}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150},
    }
