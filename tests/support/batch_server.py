"""The test server with the batch APIs of OpenAI and Anthropic, and their faults."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import formatdate
from typing import Any

import aiohttp
from aiohttp import web
from support.server import Server

Lines = list[dict[str, Any]]


class BatchServer(Server):
    """Answers the lines of batches as it answers calls; each answered line is counted in ``paid``.

    Args:
        after: number of status requests after which a batch ends.
        fate: function of a batch's number (from 1) and its lines that returns the outcome: None for success; a dict
            with "ends" ("expired", "cancelled") and "done" (number of lines answered before); or a dict with "fails"
            (an error code).
        spoil: function of the lines of the reply file and the batch's number that returns the lines to serve.
        trouble: function of "METHOD path" and the number of such requests so far that returns a fault: None; an HTTP
            status, or an answer, without performing the request; "drop" (perform it, but close the connection); a callable, which
            drops the answer if it returns true; "cut" (half the answer); or a dict that replaces keys of the answer.
        ahead: seconds by which the server's clock is fast.
    """

    def __init__(
        self, faults=None, *, after: int = 1, fate: Callable | None = None, spoil: Callable | None = None,
        trouble: Callable | None = None, ahead: float = 0.0, **kind: Any,
    ) -> None:  # fmt: skip
        super().__init__(faults, **kind)
        self.ahead = ahead
        self.after, self.fate, self.spoil, self.trouble = after, fate, spoil, trouble
        self.files: dict[str, tuple[str, bytes]] = {}
        self.batches: list[dict[str, Any]] = []
        self.deleted: list[str] = []
        self.seen: Counter[str] = Counter()
        self.paid: Counter[str] = Counter()  # by custom_id
        self.keys: set[str | None] = set()

    @property
    def environment(self) -> dict[str, str]:
        """Variables that direct calls for both providers to this server."""
        root = f"http://127.0.0.1:{self.port}"
        return {**super().environment, "ANTHROPIC_API_BASE": root, "ANTHROPIC_API_KEY": "sk-ant-canary"}

    def _routes(self, app: web.Application) -> None:
        super()._routes(app)
        app.middlewares.append(self._disturb)
        add = app.router.add_route
        add("POST", "/v1/files", self._upload)
        add("GET", "/v1/files", self._list_files)
        add("GET", "/v1/files/{id}/content", self._content)
        add("DELETE", "/v1/files/{id}", self._delete)
        add("POST", "/v1/messages", self._message)
        for root in ("/v1/batches", "/v1/messages/batches"):
            add("POST", root, self._begin)
            add("GET", root, self._list)
            add("GET", root + "/{id}", self._look)
            add("DELETE", root + "/{id}", self._delete)
            add("POST", root + "/{id}/cancel", self._cancel)
        add("GET", "/v1/messages/batches/{id}/results", self._results)

    @web.middleware
    async def _disturb(self, request: web.Request, handler: Callable) -> web.StreamResponse:
        if not any(part in request.path for part in ("/batches", "/files")):
            return await handler(request)
        self.keys.add(request.headers.get("Authorization") or request.headers.get("x-api-key"))
        parts = ["ID" if any(digit.isdigit() for digit in part[1:]) else part for part in request.path.split("/")[2:]]
        name = f"{request.method} {'/'.join(parts)}"
        self.seen[name] += 1
        what = None if self.trouble is None else self.trouble(name, self.seen[name])
        if isinstance(what, int):
            return web.json_response({"error": {"message": "trouble"}}, status=what)
        if isinstance(what, web.Response):
            return what
        response = await handler(request)
        response.headers["Date"] = formatdate(time.time() + self.ahead, usegmt=True)
        if isinstance(what, dict):
            return web.json_response({**json.loads(response.body), **what})
        if what == "drop" or (callable(what) and what()):
            request.transport.close()
        if what == "cut":
            data = response.body
            return web.Response(body=data[: len(data) // 2], content_type="application/json")
        return response

    async def _upload(self, request: web.Request) -> web.Response:
        form = await request.post()
        assert form["purpose"] == "batch"
        named = f"file-{len(self.files) + 1}"
        self.files[named] = (form["file"].filename, form["file"].file.read())
        return web.json_response(self._file(named))

    def _file(self, named: str) -> dict[str, Any]:
        name, data = self.files[named]
        return {"id": named, "object": "file", "bytes": len(data), "filename": name, "purpose": "batch"}

    async def _list_files(self, _: web.Request) -> web.Response:
        return web.json_response({"data": [self._file(name) for name in reversed(self.files)], "has_more": False})

    async def _content(self, request: web.Request) -> web.Response:
        named = request.match_info["id"]
        if named not in self.files:
            return web.json_response({"error": {"message": "no such file"}}, status=404)
        return web.Response(body=self.files[named][1])

    async def _delete(self, request: web.Request) -> web.Response:
        self.files.pop(request.match_info["id"], None)
        self.deleted.append(request.match_info["id"])
        return web.json_response({"deleted": True})

    async def _begin(self, request: web.Request) -> web.Response:
        body = await request.json()
        number = len(self.batches) + 1
        batch: dict[str, Any] = {"number": number, "id": f"batch_{number}", "looks": 0}
        batch["made"] = time.time() + self.ahead
        if "messages" in request.path:
            lines = [{"custom_id": one["custom_id"], "body": one["params"]} for one in body["requests"]]
            assert request.headers["anthropic-version"]
            batch["kind"] = "anthropic"
        else:
            assert body["completion_window"] == "24h" and body["endpoint"] == "/v1/chat/completions"
            lines = [json.loads(line) for line in self.files[body["input_file_id"]][1].splitlines()]
            batch |= {"kind": "openai", "input_file_id": body["input_file_id"], "metadata": body["metadata"]}
        assert len({line["custom_id"] for line in lines}) == len(lines)
        batch |= {"lines": lines, "status": "in_progress", "results": [], "fate": (self.fate or _fine)(number, lines)}
        self.batches.append(batch)
        return web.json_response(self._told(batch))

    async def _list(self, request: web.Request) -> web.Response:
        kind = "anthropic" if "messages" in request.path else "openai"
        ours = [self._told(batch) for batch in reversed(self.batches) if batch["kind"] == kind]
        after = request.query.get("after") or request.query.get("after_id")
        places = [place for place, batch in enumerate(ours) if batch["id"] == after]
        page = ours[places[0] + 1 if places else 0 :][:2]
        return web.json_response({"data": page, "has_more": bool(page) and page[-1] != ours[-1]})

    def _find(self, request: web.Request) -> dict[str, Any] | None:
        return next((batch for batch in self.batches if batch["id"] == request.match_info["id"]), None)

    async def _look(self, request: web.Request) -> web.Response:
        if (batch := self._find(request)) is None:
            return web.json_response({"error": {"message": "no such batch"}}, status=404)
        batch["looks"] += 1
        if batch["looks"] >= self.after and batch["status"] in ("in_progress", "cancelling"):
            await self._work(batch)
        return web.json_response(self._told(batch))

    async def _cancel(self, request: web.Request) -> web.Response:
        if (batch := self._find(request)) is None:
            return web.json_response({"error": {"message": "no such batch"}}, status=404)
        batch |= {"status": "cancelling", "fate": {"ends": "cancelled", "done": len(batch["lines"]) // 2}}
        return web.json_response(self._told(batch))

    async def _results(self, request: web.Request) -> web.Response:
        batch = self._find(request)
        assert batch is not None and batch["status"] == "ended"
        return web.Response(body=_jsonl(batch["results"]))

    async def _work(self, batch: dict[str, Any]) -> None:
        fate = batch["fate"] or {}
        if "fails" in fate:
            batch |= {"status": "failed", "failure": fate["fails"]}
            return
        ends, done = fate.get("ends", "completed"), fate.get("done", len(batch["lines"]))
        made, failed = [], []
        for place, line in enumerate(batch["lines"]):
            if place >= done:
                failed.append(_left(line, ends, batch["kind"]))
                continue
            self.paid[line["custom_id"]] += 1
            status, body = await self._ask(line["body"], batch["kind"])
            (made if status == 200 else failed).append(_answered(line, status, body, batch["kind"]))
        made.reverse()
        if self.spoil is not None:
            made = self.spoil(made, batch["number"])
        if batch["kind"] == "anthropic":
            batch |= {"status": "ended", "results": made + failed}
            return
        batch["status"] = ends
        batch["counts"] = {"total": len(batch["lines"]), "completed": len(made), "failed": len(failed)}
        for name, lines in (("output_file_id", made), ("error_file_id", failed)):
            if lines:
                batch[name] = f"file-{batch['number']}-{name}"
                self.files[batch[name]] = (name, _jsonl(lines))

    async def _ask(self, body: dict[str, Any], kind: str) -> tuple[int, Any]:
        path = "messages" if kind == "anthropic" else "chat/completions"
        address = f"http://127.0.0.1:{self.port}/v1/{path}"
        async with aiohttp.ClientSession() as session, session.post(address, json=body) as response:
            return response.status, await response.json(content_type=None)

    async def _message(self, request: web.Request) -> web.Response:
        """Answer a call of Anthropic's messages API."""
        asked = await request.json()
        messages = [
            {"role": one["role"], "content": "".join(part["text"] for part in one["content"])}
            for one in [{"role": "system", "content": asked.get("system") or []}, *asked["messages"]]
        ]
        status, made = await self._ask({"messages": messages}, "openai")
        if status != 200:
            kind = {429: "rate_limit_error", 400: "invalid_request_error"}.get(status, "api_error")
            told = {"type": "error", "error": {"type": kind, "message": made["error"]["message"]}}
            return web.json_response(told, status=status)
        choice = made["choices"][0]
        content = choice["message"].get("content") or ""
        ends = {"stop": "end_turn", "length": "max_tokens"}
        parts = [{"type": "text", "text": content}]
        if asked.get("tools"):
            parts = [{"type": "tool_use", "id": "t", "name": asked["tools"][0]["name"], "input": json.loads(content)}]
        usage = {"input_tokens": 100, "output_tokens": 50}
        return web.json_response({
            "id": "m", "type": "message", "role": "assistant", "model": asked["model"], "content": parts,
            "stop_reason": ends[choice["finish_reason"]], "stop_sequence": None, "usage": usage,
        })  # fmt: skip

    def _told(self, batch: dict[str, Any]) -> dict[str, Any]:
        if batch["kind"] == "anthropic":
            kinds = Counter(result.get("result", {}).get("type") for result in batch["results"])
            counts = {name: kinds[name] for name in ("succeeded", "errored", "canceled", "expired")}
            counts["processing"] = 0 if batch["status"] == "ended" else len(batch["lines"])
            made = datetime.fromtimestamp(batch["made"], UTC).isoformat()
            status = {"cancelling": "canceling"}.get(batch["status"], batch["status"])
            return {"id": batch["id"], "processing_status": status, "request_counts": counts, "created_at": made}
        told = {"id": batch["id"], "object": "batch", "status": batch["status"], "created_at": int(batch["made"])}
        names = ("input_file_id", "metadata", "output_file_id", "error_file_id")
        told |= {name: batch.get(name) for name in names}
        told["request_counts"] = batch.get("counts") or {"total": len(batch["lines"]), "completed": 0, "failed": 0}
        if failure := batch.get("failure"):
            told["errors"] = {"object": "list", "data": [{"code": failure, "message": f"no: {failure}", "line": None}]}
        return told


def _fine(_: int, __: Lines) -> None:
    return None


def _left(line: dict[str, Any], ends: str, kind: str) -> dict[str, Any]:
    """Result of a line that was not processed."""
    if kind == "anthropic":
        return {"custom_id": line["custom_id"], "result": {"type": "canceled" if ends == "cancelled" else "expired"}}
    error = {"code": f"batch_{ends}", "message": "This request could not be executed."}
    return {"id": "r", "custom_id": line["custom_id"], "response": None, "error": error}


def _answered(line: dict[str, Any], status: int, body: Any, kind: str) -> dict[str, Any]:
    if kind == "openai":
        response = {"status_code": status, "request_id": "r", "body": body}
        return {"id": "r", "custom_id": line["custom_id"], "response": response, "error": None}
    result = {"type": "succeeded", "message": body} if status == 200 else {"type": "errored", "error": body}
    return {"custom_id": line["custom_id"], "result": result}


def _jsonl(lines: Lines) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)
