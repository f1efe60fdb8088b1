"""Classify error responses of providers: transient, final for the request, or final for the run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import urljoin

from scholartools.address import plain_address
from scholartools.cache import Reply
from scholartools.cache.request import parse_canonical
from scholartools.errors import ModelFault, ScholartoolsError
from scholartools.parameters import parameter
from scholartools.pauses import asked_pause, clock_time
from scholartools.proxies import Proxy, is_final, proxy_of
from scholartools.secrets import current_redactor
from scholartools.vocabulary import TEXT

# Kind of fault: the request exceeds the model's context.
OVERFLOW = "context-overflow"
# Only advice: a status 500 may be due to the response format, but is mostly transient, and another format changes the
# experiment.
_FORMAT_ADVICE = "if every call fails so, try"
# Maximum length of a provider's message in characters.
_SHOWN = 300
_IN_MEMORY = re.compile(r" at 0x[0-9a-f]{6,}\b", re.I)


class Transient(Exception):
    """A call that failed for a transient reason.

    Attributes:
        reason: one line, without secrets.
        pause: seconds to wait as requested by the provider (Retry-After), more than 0, or None.
        limited: whether a rate limit was exceeded (429).
        unreachable: whether the address is unreachable.
        billed: whether the provider may have processed and billed the call.
        reply: the response if one was received but cannot be parsed, for the cache.
    """

    def __init__(
        self, reason: str, *, pause: float | None = None, limited: bool = False, unreachable: bool = False,
        billed: bool = False, reply: Reply | None = None,
    ) -> None:  # fmt: skip
        super().__init__(reason)
        self.reason = reason
        self.pause = pause
        self.limited = limited
        self.unreachable = unreachable
        self.billed = billed
        self.reply = reply


class FormatRefused(ScholartoolsError):
    """The server does not support the response format of a request."""

    kind = "response-format"


class Answer(NamedTuple):
    """Error response of a provider.

    Attributes:
        status: HTTP status, or None.
        words: message, which may contain secrets.
        codes: error codes, types and parameter names in one text.
        headers: HTTP headers.
    """

    status: int | None
    words: str
    codes: str = ""
    headers: Mapping[str, str] = {}


# Statuses that mean that no call of the run can succeed.
_FATAL = {
    401: "the key was not accepted",
    402: "the account has no money left",
    403: "the key has no permission for this request",
    404: "no such model or address",
}
_NO_MONEY_CODE = re.compile(r"insufficient_(quota|balance|funds|credits?)|billing_\w+|payment_required", re.I)
_NO_MONEY = re.compile(
    r"insufficient[_ ](quota|balance|funds|credits?)|exceeded your current quota|\bbilling\b|out of credits"
    r"|credit balance is too low|no credits? (left|remaining)|payment required",
    re.I,
)
# Messages of temporary limits, in which some providers mention billing too.
_SOON = re.compile(r"(try again|retry|wait) (in|after) \d|retryDelay|per (minute|second|min\b)", re.I)
_NO_MODEL = re.compile(r"not a valid model|model\b.{0,80}\b(does not exist|not found|is not supported)", re.I)
_NO_KEY = re.compile(
    r"missing credentials|missing \w+ api key|api_?key.{0,40}(must be set|not set|missing|required)|no api key", re.I
)
_FORMAT = re.compile(r"response[_ ]?format|json[_ -]?(schema|object|mode)|structured[_ -]?output|guided_|grammar", re.I)
# Wordings of OpenAI, Azure, DeepSeek, Groq, vLLM, SGLang, llama.cpp, Ollama, LM Studio, Anthropic, Bedrock, litellm.
_OVERFLOW = re.compile(
    r"context_(length|window|size)_exceeded|ContextWindowExceeded|exceed_context_size|max_prompt_tokens_exceeded"
    r"|(exceed|longer|larger|greater|bigger|more|overflow)[^.]{0,60}\bcontext[_ ](length|window|size|limit)"
    r"|context[_ ](length|window|size|limit)[^.]{0,60}(exceed|overflow|too (small|short))"
    r"|(maximum|max) context|max_model_len|max_seq_len|maximum (model|sequence|prompt|input) length"
    r"|context the overflows|prompt is too long|input is too long",
    re.I,
)
# Wordings that mean it only with status 400 or 422: also of Gemini, Mistral, Cohere, TGI.
_OVERFLOW_IF_REFUSED = re.compile(
    r"context[_ ](length|window|size|limit)|too many (input |prompt )?tokens|too long|string_above_max_length"
    r"|token count.{0,60}exceed|exceeds? the maximum number of tokens|must have less than \d+ tokens"
    r"|tokens \+ `?max_new_tokens|prompt contains \d+ tokens|reduce (your|the) (prompt|input|length)",
    re.I,
)
_TOO_LARGE = re.compile(r"request too large", re.I)


def parse_answer(status: int | None, body: str, headers: Mapping[str, str]) -> Answer:
    """Parse an error body in any of the usual shapes; a body that is not JSON is the message itself."""
    try:
        value = parse_canonical(body.encode())
    except (ValueError, RecursionError):
        return Answer(status, body.strip() or "no reason given", "", headers)
    words, codes = _read_error_body(value[0] if isinstance(value, list) and value else value)
    return Answer(status, words or "no reason given", codes, headers)


def in_reply(value: Mapping[str, Any]) -> Answer | None:
    """The error in a body with status 200 that has no choices, or None."""
    if value.get("choices") or not (
        value.get("error") or value.get("detail") or value.get("object") == "error" or value.get("errors")
    ):
        return None
    error = value.get("error")
    code = (error if isinstance(error, dict) else value).get("code")
    words, codes = _read_error_body(value)
    known = isinstance(code, int) and not isinstance(code, bool) and 400 <= code < 600
    status = code if known else 400 if "invalid_request" in codes else None
    return Answer(status, words or "no reason given", codes)


def redirect_fault(status: int, asked: str, headers: Mapping[str, str]) -> ModelFault:
    """The fault of a redirect, which is not followed: the request would be sent to another address."""
    to = next((value for name, value in headers.items() if name.lower() == "location"), None)
    where = f"to {clean_words(plain_address(urljoin(asked, to)) or '')}" if to else "without saying where to"
    here = clean_words(plain_address(asked) or "")
    reason = f"{here} redirects {where} (status {status}): no redirect is followed, so that nothing is sent elsewhere"
    return ModelFault(f"{reason}; if that address is right, set it", kind="redirect")


def usable_proxy(address: str) -> Proxy | None:
    """The proxy for an address from the environment, or None.

    Raises:
        ModelFault: it is not an HTTP proxy.
    """
    proxy = proxy_of(address)
    if proxy is not None and not proxy.is_http:
        raise ModelFault(clean_words(f"{proxy.name} is no HTTP proxy: {proxy.way_around}"), kind="provider")
    return proxy


def pause_fault(error: Transient, longest: float, again: str) -> ModelFault:
    """The fault of a requested pause that exceeds the maximum.

    Args:
        error: the refusal, with the pause.
        longest: maximum pause in seconds.
        again: clause of the message: what is stored, and to run again.
    """
    until, option = clock_time(error.pause or 0.0), parameter("max_wait", f"{longest:g}")
    reason = f"the provider asks for a pause until {until} ({error.reason}), longer than {option}"
    return ModelFault(f"{reason}; {again} then", kind="pause")


def refused_fault(error: Transient, seconds: float, longest: float, again: str) -> ModelFault:
    """The fault of a provider that has refused every call for more than ``longest`` seconds; see ``pause_fault``."""
    option = parameter("max_wait", f"{longest:g}")
    reason = f"the provider has refused every call for {seconds:.0f} s ({error.reason}), longer than {option}"
    return ModelFault(f"{reason}; {again} later", kind="pause")


def refusal_fault(proxy: Proxy, status: int) -> Exception:
    """The fault of a proxy that does not forward a call."""
    reason = clean_words(proxy.refusal(status))
    if is_final(status):
        return ModelFault(reason, kind="provider")
    return Transient(reason, unreachable=True)


def iter_causes(error: BaseException | None) -> Iterator[BaseException]:
    """An exception and its causes, the root cause last; at most 20."""
    seen = 0
    while error is not None and seen < 20:
        yield error
        error, seen = error.__cause__ or error.__context__, seen + 1


def fault_of(answer: Answer, *, format_sent: bool, unreachable: bool = False) -> Exception:
    """The exception to raise for an error response.

    Args:
        format_sent: whether the request had a response format.
        unreachable: whether the address is unreachable.
    """
    line = clean_words(answer.words.partition("Traceback (most recent call last)")[0])
    said = f"{answer.codes} {answer.words}"
    if _NO_KEY.search(answer.words):
        return ModelFault(f"no API key: {line}", kind="key")
    if unreachable:
        return Transient(line, unreachable=True)
    if _without_money(answer, said):
        return ModelFault(f"the account has no money left: {line}", kind="provider")
    if answer.status in _FATAL:
        return ModelFault(f"{_FATAL[answer.status]}: {line}", kind="provider")
    if _is_overflow(answer.status, said):
        return ScholartoolsError(f"the request is longer than the model's context: {line}", kind=OVERFLOW)
    if answer.status == 429:
        return Transient(line, pause=asked_pause(answer.headers) or None, limited=True)
    if format_sent and _refuses_format(answer.status, said):
        return FormatRefused(line)
    if answer.status in (400, 413, 415, 422):
        return _refusal_fault(said, line)
    status = answer.status
    where = f"{status}: " if status else ""
    told = f"{line} ({_FORMAT_ADVICE} {parameter('response_format', TEXT)})" if format_sent and status == 500 else line
    return Transient(f"{where}{told}", pause=asked_pause(answer.headers) or None, billed=status in (None, 408, 504))


def clean_words(words: str) -> str:
    """A provider's message on one line, without secrets and without memory addresses, which differ between runs.

    Secrets are removed before the message is truncated.
    """
    return _IN_MEMORY.sub("", current_redactor().message(words))[:_SHOWN]


def _refusal_fault(said: str, line: str) -> ScholartoolsError:
    if "LLM Provider NOT provided" in said:
        reason = (
            "the name of the model does not begin with a known provider: write openai/NAME, ollama/NAME or the like"
        )
        return ModelFault(reason, kind="provider")
    if _NO_MODEL.search(said):
        return ModelFault(f"no such model: {line}", kind="provider")
    if "UnsupportedParamsError" in said:
        return ModelFault(line, kind="parameter")
    return ScholartoolsError(f"the provider refused the request: {line}", kind="refused")


def _without_money(answer: Answer, said: str) -> bool:
    if _NO_MONEY_CODE.search(answer.codes) or "insufficient_quota" in said:
        return True
    if answer.status == 400:
        return "credit balance is too low" in said.lower()
    return answer.status in (None, 403, 429) and bool(_NO_MONEY.search(said)) and not _SOON.search(said)


def _is_overflow(status: int | None, said: str) -> bool:
    if status == 413 or (status == 429 and _TOO_LARGE.search(said)):
        return True
    if status == 429:
        return False
    return bool(_OVERFLOW.search(said) or (status in (400, 422) and _OVERFLOW_IF_REFUSED.search(said)))


def _refuses_format(status: int | None, said: str) -> bool:
    return status in (400, 415, 422, 501) and bool(_FORMAT.search(said))


def _read_error_body(value: Any) -> tuple[str, str]:
    """The message and the codes in a parsed error body; the message is empty if there is none."""
    if not isinstance(value, dict):
        return (value if isinstance(value, str) else ""), ""
    error = value.get("error")
    inner = error if isinstance(error, dict) else value
    names = ("code", "type", "param", "status")
    codes = " ".join(str(inner[name]) for name in names if isinstance(inner.get(name), (str, int)))
    words = [error] if isinstance(error, str) else []
    words += [text for name in ("message", "detail", "msg", "errors") if (text := _reason_text(inner.get(name)))][:1]
    metadata = inner.get("metadata")
    if isinstance(metadata, dict) and isinstance(metadata.get("raw"), str):  # the error that a router received
        words.append(metadata["raw"])
    return ": ".join(words), codes


def _reason_text(value: Any) -> str:
    """A message as text: a string, or a list of errors with their locations (as from FastAPI)."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "; ".join(text for entry in value if (text := _reason_text(entry)))
    if not isinstance(value, dict):
        return ""
    words = next(
        (text for name in ("message", "msg", "detail", "error") if (text := _reason_text(value.get(name)))), ""
    )
    place = value.get("loc")
    return f"{'.'.join(map(str, place))}: {words}" if isinstance(place, list) and words else words
