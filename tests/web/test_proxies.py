"""Which proxy is used, against curl as the oracle; and what is told of proxies that refuse."""

from __future__ import annotations

import os
import random
import re
import shutil
import socket
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from support.hostile import Hostile, answer
from support.run import st

from scholartools.proxies import proxy_of

VARIABLES = ("http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
LISTS = ("no_proxy", "NO_PROXY")
HOSTS = (
    "api.example", "www.api.example", "notapi.example", "API.Example", "api.example.", "example", "gpu-7",
    "gpu-7.cluster.internal", "10.1.2.3", "10.255.0.1", "11.0.0.1", "192.168.7.9", "192.168.8.9", "172.16.5.4",
    "169.254.169.254", "[2001:db8::7]", "[2001:DB8:0:0::7]", "[fd00::1]", "[fe80::1]", "10.1", "0xa010203",
    "167838211", "8.8.8.8",
)  # fmt: skip
EXCEPTIONS = (
    "api.example", ".api.example", "API.EXAMPLE", "api.example.", "example", ".example", "www.api.example", "le",
    "cluster.internal", ".internal", "gpu-7", "10.0.0.0/8", "10.1.2.3", "10.1.2.3/32", "10.9.9.9/8", "10.1.2.3/31",
    "192.168.0.0/21", "192.168.7.0/24", "172.16.0.0/12", "2001:db8::/32", "2001:db8::7", "2001:db8::7/128", "fd00::/8",
    "2001:db8::8/124", "fe80::/10", "10.0.0.0/33", "10.0.0.0/x", "10.", "10.1", "1.2.3", "*.example", "*.internal",
    "localhost", "127.0.0.0/8", "::1", "", " ", ".", "10.0.0.1/255.0.0.0", "fd00::/129", "169.254.169.254", "*",
)  # fmt: skip
SEPARATORS = (",", ", ", " ,", ",,", " ", "\t", " , ")


class Recorder:
    """A proxy that refuses all and keeps on which of its ports it was asked."""

    def __init__(self) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self.n_asked = 0
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            self.n_asked += 1
            with connection:
                connection.settimeout(5)
                if connection.recv(65536):
                    connection.sendall(b"HTTP/1.1 403 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")

    def close(self) -> None:
        self._listening.close()


def drawn_case(random_: random.Random, ports: dict[str, int]) -> tuple[dict[str, str], str]:
    """An environment, and an address to ask."""
    env = {}
    for name in VARIABLES:
        if random_.random() < 0.45:
            user = random_.choice(("", "", "me:pass-phrase@"))
            scheme = random_.choice(("", "http://", "http://", "HTTP://"))
            env[name] = "" if random_.random() < 0.15 else f"{scheme}{user}127.0.0.1:{ports[name]}"
    for name in LISTS:
        if random_.random() < 0.7:
            entries = random_.choices(EXCEPTIONS, k=random_.choice((1, 1, 2, 3, 6)))
            env[name] = "".join(f"{entry}{random_.choice(SEPARATORS)}" for entry in entries)
            env[name] = env[name] if random_.random() < 0.3 else env[name].strip(", \t")
    port = random_.choice(("", "", ":80", ":443", ":8000"))
    address = f"{random_.choice(('http', 'https'))}://{random_.choice(HOSTS)}{port}/v1"
    return env, address


def asked_by_curl(env: dict[str, str], address: str) -> int | None:
    """The port of the proxy that curl asks; None where it goes straight to the host, here a port of this machine."""
    line = ["curl", "-qsvm5", "--resolve", "*:80:127.0.0.1", "--resolve", "*:443:127.0.0.1", "--resolve",
            "*:8000:127.0.0.1", address]  # fmt: skip
    kept = {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/"), **env}
    told = subprocess.run(line, env=kept, capture_output=True, timeout=20).stderr.decode()
    tried = re.findall(r"Trying (\S+):(\d+)\.\.\.", told)
    assert tried, told
    port = int(tried[0][1])
    return None if port in (80, 443, 8000) else port


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
@pytest.mark.parametrize("seed", range(4))
def test_the_choice_of_a_proxy_is_that_of_curl(seed, monkeypatch):
    random_ = random.Random(seed)
    recorders = {name: Recorder() for name in VARIABLES}
    ports = {name: recorder.port for name, recorder in recorders.items()}
    cases = [drawn_case(random_, ports) for _ in range(150)]
    with ThreadPoolExecutor(4) as pool:
        expected = list(pool.map(lambda case: asked_by_curl(*case), cases))
    for name in (*VARIABLES, *LISTS, "HTTP_PROXY"):
        monkeypatch.delenv(name, raising=False)
    wrong = []
    for (env, address), port in zip(cases, expected):
        with monkeypatch.context() as patch:
            for name, value in env.items():
                patch.setenv(name, value)
            proxy = proxy_of(address)
        # curl before 8.3 knows no networks of IPv6; the test below has them
        if "[" in address and re.search(r":\S*/", env.get("no_proxy") or env.get("NO_PROXY") or ""):
            continue
        if (None if proxy is None else int(proxy.url.rpartition(":")[2])) != port:
            wrong.append((env, address, port, proxy))
    assert not wrong, "\n".join(map(str, wrong[:5]))
    assert sum(port is None for port in expected) >= 20 and sum(port is not None for port in expected) >= 20
    assert sum(recorder.n_asked for recorder in recorders.values()) == sum(port is not None for port in expected)
    for recorder in recorders.values():
        recorder.close()


@pytest.mark.parametrize(
    ("listed", "address", "is_direct"),
    [
        ("2001:db8::/32", "http://[2001:db8::7]/", True),
        ("fd00::/8", "http://[2001:db8::7]/", False),
        ("[2001:db8::7]", "http://[2001:db8::7]:8000/", True),
        ("[2001:db8::7]:8000", "http://[2001:db8::7]:8000/", True),
        ("[2001:db8::7]:8001", "http://[2001:db8::7]:8000/", False),
        ("2001:DB8:0::7", "http://[2001:db8::7]/", True),
        ("0.0.0.0/0", "http://10.1.2.3/", True),
        ("0.0.0.0/0", "http://host.example/", False),
        ("host.example:8000", "http://host.example:8000/", True),
        ("host.example:8000", "http://host.example:8001/", False),
        ("10.1.2.3:8000", "http://10.1.2.3:8000/", True),
        ("host.example:80", "http://host.example/", True),
        ("host.example:443", "http://host.example/", False),
        ("", "http://127.0.0.1:8000/", True),
        ("", "http://127.1:8000/", True),
        ("", "http://[::1]/", True),
        ("", "http://localhost./", True),
        ("", "http://localhost.example/", False),
    ],
)
def test_where_the_choice_differs_from_that_of_curl(listed, address, is_direct, monkeypatch):
    """The documented differences: what is written to go straight does, in spellings that curl does not take."""
    for name in (*VARIABLES, *LISTS):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HTTP_PROXY", "me:pass-phrase@proxy.example:3128")
    monkeypatch.setenv("NO_PROXY", listed)
    proxy = proxy_of(address)
    assert (proxy is None) == is_direct
    assert "pass-phrase" not in f"{proxy!r} {proxy}"


@pytest.mark.parametrize("status", [403, 407, 502])
def test_a_proxy_that_refuses_a_fetch_is_named(status, tmp_path):
    with Hostile(lambda _: answer(status)) as proxy:
        env = {
            "https_proxy": f"http://me:secret@127.0.0.1:{proxy.port}", "no_proxy": "10.0.0.0/8", "NO_PROXY": "",
            "ST_CACHE": str(tmp_path / "cache"), "ST_RETRIES": "0", "ST_FETCH_PACE": "0.001", "OPENALEX_API_KEY": "",
        }  # fmt: skip
        result = st("st-fetch", "papers", "10.1234/x", env=env)
    [first, *_] = [line for line in result.err.splitlines() if "proxy" in line]
    assert f"the proxy http://127.0.0.1:{proxy.port} (https_proxy) refuses to connect to api." in first
    assert f"(status {status})" in first and "goes around it" in first
    assert proxy.seen and all(request.line.startswith("CONNECT api.") for request in proxy.seen)
    assert not any("scholartools" in str(request.headers) for request in proxy.seen)  # nor an address of e-mail in it
    assert "secret" not in result.err and b"secret" not in result.out
    assert not any(b"secret" in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
