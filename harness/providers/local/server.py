"""The embedded model's server: llama.cpp inside this process, on a free port of 127.0.0.1. It ends with the process."""

from __future__ import annotations

import atexit
import importlib
import importlib.util
import json
import os
from importlib.resources import files
from typing import Any
from urllib.request import ProxyHandler, Request, build_opener

from harness.errors import UserError
from harness.providers.local.models import SMOLLM2, fetch, is_fetched, model_path

CONTEXT_TOKENS = 8192
PROMPT_CACHE_MIB = 512
BATCH_TOKENS = 256
"""Tokens of a prompt read in one go: the server can neither drop a request nor stop before it is through with them."""
START_TIMEOUT_S = 120.0

_server: Any = None
_users = 0


def acquire() -> str:
    """Start the server unless it runs, count one more user, and return its base URL.

    Fetches the model if it is not there yet. Raises UserError if the extra is not installed or the model cannot be
    fetched or loaded.
    """
    global _server, _users
    if _server is None:
        _server = _start()
        atexit.register(stop)
    _users += 1
    return f"{_server.listening_address}/v1"


def release() -> None:
    """Count one user less; the last one stops the server."""
    global _users
    _users -= 1
    if _users <= 0:
        stop()


def stop() -> None:
    """Stop the server if it runs."""
    global _server, _users
    _server, _users = None, 0  # its destructor waits for the server's threads
    atexit.unregister(stop)


def is_installed() -> bool:
    """Whether the extra that holds llama.cpp is installed."""
    return importlib.util.find_spec("xllamacpp") is not None


def _start() -> Any:
    if not is_installed():
        raise UserError("the embedded model needs the package xllamacpp: run pip install 'dale-arena[local]'.")
    if not is_fetched():
        fetch()
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # read on import; else threads that wait burn a busy machine
    llama = importlib.import_module("xllamacpp")
    params = llama.CommonParams()
    params.model.path = str(model_path())
    params.model_alias = {SMOLLM2.name}  # otherwise answers name the file's path on this machine
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_ctx = CONTEXT_TOKENS
    params.n_parallel = 1
    params.n_batch = params.n_ubatch = BATCH_TOKENS
    params.cache_ram_mib = PROMPT_CACHE_MIB  # keeps the prefixes of several agents; without it each evicts the others'
    params.cpuparams.n_threads = 1  # with more, waiting threads burn the processor and decoding may drop to 1 token/s
    params.cpuparams_batch.n_threads = 2
    params.chat_template = files("harness.providers.local").joinpath("chatml.jinja").read_text(encoding="utf-8")
    params.ui = False
    params.warmup = False
    params.verbosity = 0
    try:
        server = llama.Server(params)
        _ask_once(server.listening_address)
        return server
    except Exception as error:  # the binding raises whatever llama.cpp throws
        raise UserError(
            f"the embedded model in {model_path()} cannot be started ({error}); remove that file and run "
            "'dale models fetch'."
        ) from None


def _ask_once(address: str) -> None:
    """Have one token made, so that the server's loop is known to run: stopped before it does, it never ends."""
    body = {"messages": [{"role": "user", "content": "Hello"}], "max_tokens": 1}
    request = Request(
        f"{address}/v1/chat/completions", json.dumps(body).encode("ascii"), {"content-type": "application/json"}
    )
    with build_opener(ProxyHandler({})).open(request, timeout=START_TIMEOUT_S) as answer:
        answer.read()
