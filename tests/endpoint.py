"""A model's endpoint on loopback: a real HTTP server that answers well, or misbehaves as a test's script says.

Each behaviour is a function of a request; the script's are used up one by one, then `otherwise` holds. Requests are
recorded. Whatever waits, waits for the server's stop at most, so nothing outlives a test.
"""

import contextlib
import json
import re
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

MOST_REQUEST_BYTES = 5_000_000
MODEL = "test-model"
KEY = "sk-a-secret-that-no-page-may-show"
TOKENS = {"prompt_tokens": 1000, "completion_tokens": 500, "total_tokens": 1500}
PRAISE = "Great job, this is an excellent answer."


@dataclass(frozen=True)
class Asked:
    """One request as it came."""

    path: str
    authorization: str
    body: dict[str, Any]

    @property
    def prompt(self) -> str:
        return "\n".join(message["content"] for message in self.body["messages"])

    @property
    def form(self) -> str:
        """Which form is asked for: by the schema's name, or where there is none by the messages' words."""
        if "response_format" in self.body:
            name: str = self.body["response_format"]["json_schema"]["name"]
            return name
        if "STATEMENTS, each with its id" in self.prompt:
            return "AnchorsReply"
        return "AnswerReply" if '"holds"' in self.prompt else "CritiqueReply"

    @property
    def repairs(self) -> bool:
        return ": refused critique 1, because" in self.prompt


class Handler(BaseHTTPRequestHandler):
    """One connection. What it sends is decided by the endpoint's script."""

    server: "Server"
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        if length > MOST_REQUEST_BYTES:
            self.send_error(413)
            return
        asked = Asked(self.path, self.headers.get("Authorization", ""), json.loads(self.rfile.read(length)))
        self.close_connection = True
        with contextlib.suppress(ConnectionError, TimeoutError):
            self.server.endpoint.behave(self, asked)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: a test says what it wants to know."""

    def send(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        sent = {"Content-Type": "application/json", "Content-Length": str(len(body)), **headers}
        for name, value in sent.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def send_json(self, status: int, value: object, **headers: str) -> None:
        self.send(status, json.dumps(value).encode(), **headers)

    def send_text(self, text: str | None, *, finish: str = "stop", usage: object = TOKENS, **message: object) -> None:
        """A chat completion with this text."""
        said = {"role": "assistant", "content": text, **message}
        choices = [{"index": 0, "message": said, "finish_reason": finish}]
        body = {"id": "one", "object": "chat.completion", "created": 0, "model": MODEL, "choices": choices}
        self.send_json(200, body | ({"usage": usage} if usage else {}))


Behaviour = Callable[[Handler, Asked], None]


class Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64
    endpoint: "Endpoint"


@dataclass
class Endpoint:
    """The server, its script, and what it was asked."""

    otherwise: Behaviour = field(default_factory=lambda: good)
    script: list[Behaviour] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    stopped: threading.Event = field(default_factory=threading.Event)
    most_at_once: int = 0
    _at_once: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def start(self) -> None:
        self._server = Server(("127.0.0.1", 0), Handler)
        self._server.endpoint = self
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def stop(self) -> None:
        self.stopped.set()
        self._server.shutdown()
        self._server.server_close()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def environment(self, **more: str) -> dict[str, str]:
        """The variables by which a process of the site asks this endpoint."""
        return {"CRITIC_BASE_URL": self.address, "CRITIC_API_KEY": KEY, "CRITIC_MODEL": MODEL, **more}

    def asked_for(self, form: str, *, repairs: bool = False) -> list[Asked]:
        return [asked for asked in self.asked if asked.form == form and asked.repairs == repairs]

    def behave(self, handler: Handler, asked: Asked) -> None:
        with self._lock:
            self.asked.append(asked)
            behaviour = self.script.pop(0) if self.script else self.otherwise
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            behaviour(handler, asked)
        finally:
            with self._lock:
                self._at_once -= 1


@contextlib.contextmanager
def running_endpoint(otherwise: Behaviour | None = None) -> Iterator[Endpoint]:
    """An endpoint that answers well unless it is told otherwise."""
    endpoint = Endpoint(otherwise or good)
    endpoint.start()
    try:
        yield endpoint
    finally:
        endpoint.stop()


# Good behaviour: worked out from the prompt alone, with words that stand in the submission.

PIECE = re.compile(r"^\[\w+: (s\d+|worksheet), [^\]\n]*\]\n(.*?)(?=^\[\w+: |^DATA \w+>>>)", re.MULTILINE | re.DOTALL)
OWN_LINE = re.compile(r"^- (\w+) = (.+) \(line \d+[^)]*\)$", re.MULTILINE)
STATEMENT = re.compile(r"^- ([\w./-]+): ", re.MULTILINE)
CLASSES = ("arithmetic-never-done", "threshold-on-unsized-resource", "guarantee-not-the-one-sold", "identity-reused")


def good(handler: Handler, asked: Asked) -> None:
    """Six critiques of words that stand there, verdicts with quotes, a reply to an answer."""
    handler.send_text(json.dumps(good_reply(asked)))


def good_reply(asked: Asked) -> dict[str, Any]:
    match asked.form:
        case "AnchorsReply":
            return {"verdicts": verdicts(asked)}
        case "AnswerReply":
            return {"reply": "Which number bounds the queue then? You have not said it.", "holds": "partly"}
    critiques = [critique(number, key, quote) for number, (key, quote) in enumerate(quotes(asked.prompt)[:8])]
    for draft, (name, text) in zip(critiques, OWN_LINE.findall(asked.prompt)[:1], strict=False):
        draft |= {"expression": name, "claimed_value": text}
    titles = ("A GPU dies mid-batch", "Lengths double overnight", "One poison input")
    mutations = [{"title": title, "ask": f"{title}. What does this very design do then?"} for title in titles]
    return {"critiques": critiques, "mutations": mutations}


def critique(number: int, section: str, quote: str) -> dict[str, Any]:
    return {
        "quote": quote,
        "section": section,
        "defect_class": CLASSES[number % len(CLASSES)],
        "class_name": "",
        "attack": f"These words size nothing, and the queue behind them grows without a bound ({'abcdefgh'[number]}).",
        "scenario": "The largest tenant doubles its traffic and every replica fills at once.",
        "expression": None,
        "claimed_value": None,
        "rubric_line": 1 + number,
    }


def quotes(prompt: str) -> list[tuple[str, str]]:
    """(part, words) of lines of the submission that are long enough to be evidence."""
    found = []
    for key, text in PIECE.findall(prompt):
        lines = [line.strip() for line in text.splitlines()]
        found += [(key, line[:200]) for line in lines if len(line) >= 20 and not line.startswith("#")]
    return found


def verdicts(asked: Asked) -> list[dict[str, Any]]:
    statements = asked.prompt.partition("STATEMENTS, each with its id")[2]
    (_, words), *_ = [*quotes(asked.prompt), ("", "")]
    return [{"anchor_id": id, "met": bool(words), "quote": words} for id in STATEMENT.findall(statements)]


# Misbehaviour.


def status(code: int, message: str = "no", **headers: str) -> Behaviour:
    return lambda handler, asked: handler.send_json(code, {"error": {"message": message}}, **headers)


def tells_the_key(handler: Handler, asked: Asked) -> None:
    """Servers have been seen to say the key back."""
    handler.send_json(400, {"error": {"message": f"bad request with {asked.authorization}"}})


def hangs(handler: Handler, asked: Asked) -> None:
    handler.server.endpoint.stopped.wait(60)


def answers_after(seconds: float, then: Behaviour = good) -> Behaviour:
    def behaviour(handler: Handler, asked: Asked) -> None:
        if not handler.server.endpoint.stopped.wait(seconds):
            then(handler, asked)

    return behaviour


def drips(handler: Handler, asked: Asked) -> None:
    """A body that comes byte by byte and never ends: every single wait is short."""
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", "1000000")
    handler.end_headers()
    _drip(handler)


def drips_headers(handler: Handler, asked: Asked) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    _drip(handler)


def _drip(handler: Handler) -> None:
    for _ in range(600):
        handler.wfile.write(b"x")
        if handler.server.endpoint.stopped.wait(0.1):
            return


def cuts(handler: Handler, asked: Asked) -> None:
    """Half an answer, then a reset of the connection."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"choices": [')
    handler.wfile.flush()
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.connection.close()


def says(text: str | None, **more: Any) -> Behaviour:
    return lambda handler, asked: handler.send_text(text, **more)


empty = says("")
no_content = says(None)
refuses = says(None, refusal="I cannot help with that.")
refuses_in_words = says("I'm sorry, but I cannot help with that request.")
wrong_schema = says('{"answer": 42}')
prose = says("The design is weak in several places, above all in its arithmetic.")
no_completion = status(200)


def filtered(handler: Handler, asked: Asked) -> None:
    handler.send_text("", finish="content_filter")


def cuts_off(handler: Handler, asked: Asked) -> None:
    """As many tokens as were allowed, and the JSON is not whole."""
    handler.send_text(json.dumps(good_reply(asked))[:200], finish="length")


def cuts_off_silently(handler: Handler, asked: Asked) -> None:
    handler.send_text(json.dumps(good_reply(asked))[:200])


def huge(handler: Handler, asked: Asked) -> None:
    """Ten megabytes, in pieces; `sent_bytes` of the endpoint says how much was taken."""
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", "10000000")
    handler.end_headers()
    for _ in range(100):
        handler.wfile.write(b" " * 100_000)


def compressed(handler: Handler, asked: Asked) -> None:
    handler.send(200, b"\x1f\x8b", Content_Encoding="gzip")


def lies(handler: Handler, asked: Asked) -> None:
    """The right form: words that were never written, a sum that does not come out, praise, points. One is true."""
    reply = good_reply(asked)
    if asked.form == "AnchorsReply":
        for verdict in reply["verdicts"]:
            verdict |= {"met": True, "quote": "These words were never written by anyone."}
    if asked.form == "AnswerReply":
        reply["reply"] = PRAISE
    if asked.form == "CritiqueReply":
        true = reply["critiques"][0]
        reply["critiques"] = [
            {**true, "quote": "These words were never written by anyone."},
            {**true, "claimed_value": "7 hours"},
            {**true, "attack": PRAISE},
            {**true, "attack": "This deserves 4 out of 4 points on every line of the rubric."},
            true,
        ]
    handler.send_text(json.dumps(reply))


def lies_once(handler: Handler, asked: Asked) -> None:
    """Lies in the first critiques, and mends them when asked again."""
    (good if asked.repairs or asked.form != "CritiqueReply" else lies)(handler, asked)


def ignores_the_schema(handler: Handler, asked: Asked) -> None:
    """What servers do that know no response_format: the same in prose and a fence."""
    handler.send_text(f"Sure! Here it is:\n\n```json\n{json.dumps(good_reply(asked), indent=1)}\n```\nGood luck.")


def refuses_the_schema(handler: Handler, asked: Asked) -> None:
    if "response_format" in asked.body:
        handler.send_json(400, {"error": {"message": "response_format is not supported by this model"}})
    else:
        ignores_the_schema(handler, asked)


def wants_max_completion_tokens(handler: Handler, asked: Asked) -> None:
    if "max_tokens" in asked.body:
        handler.send_json(400, {"error": {"message": "Unsupported parameter: max_tokens. Use max_completion_tokens."}})
    else:
        good(handler, asked)


def counts_no_tokens(handler: Handler, asked: Asked) -> None:
    handler.send_text(json.dumps(good_reply(asked)), usage=None)


def sends_elsewhere(handler: Handler, asked: Asked) -> None:
    handler.send(302, b"", Location="http://127.0.0.1:9/v1/chat/completions")
