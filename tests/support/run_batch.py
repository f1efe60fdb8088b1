"""Answers a file of requests like `vllm run-batch -i IN -o OUT --model NAME`, in any order."""

import json
import os
import random
import sys
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor


def answer(line: str, address: str) -> str:
    asked = json.loads(line)
    data = json.dumps(asked["body"]).encode()
    request = urllib.request.Request(address + asked["url"].removeprefix("/v1"), data, {"Content-Type": "text/json"})
    try:
        with urllib.request.urlopen(request) as response:
            status, body, error = response.status, json.load(response), None
    except urllib.error.HTTPError as refused:  # in vLLM's form
        status, body, error = refused.code, None, json.load(refused)
    response = {"status_code": status, "request_id": "r", "body": body}
    return json.dumps({"id": "b", "custom_id": asked["custom_id"], "response": response, "error": error})


def run_batch(source: str, target: str, address: str, seed: int = 1) -> None:
    with open(source, encoding="utf-8") as file, ThreadPoolExecutor(8) as threads:
        made = list(threads.map(lambda line: answer(line, address), file))
    random.Random(seed).shuffle(made)
    with open(target + ".tmp", "w", encoding="utf-8") as file:
        file.writelines(line + "\n" for line in made)
    os.rename(target + ".tmp", target)


if __name__ == "__main__":
    named = dict(zip(sys.argv[1::2], sys.argv[2::2]))
    run_batch(named["-i"], named["-o"], os.environ["RUN_BATCH_SERVER"])
