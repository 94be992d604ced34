"""An HTTP transport that ends: by a deadline over the whole call, a bound on what is read, and when the process stops.

A time-out of a socket starts anew with every byte, so a server that drips one byte a second is never caught by it.
Here every wait is for what is left until the deadline, in short turns in which a stop is noticed.
"""

import ssl
import time
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import httpcore2
import httpx2

from grading.client.errors import Interrupted, TimedOut, TooLarge, WrongForm
from grading.client.stopping import stopping

MOST_BYTES = 2_000_000
CONNECT_S = 10.0
TURN_S = 0.5
WRITTEN_AT_ONCE_BYTES = 65_536


class Guard:
    """What one call may still take."""

    def __init__(self, timeout_s: float) -> None:
        self.timeout_s = timeout_s
        self._ends_at = time.monotonic() + timeout_s
        self._read_bytes = 0

    def left_s(self) -> float:
        """The seconds left. Raises: TimedOut, Interrupted."""
        if stopping.is_set():
            raise Interrupted("The process was stopped during the call.")
        left = self._ends_at - time.monotonic()
        if left <= 0:
            raise TimedOut(f"The endpoint gave no whole reply within {self.timeout_s:g} s.")
        return left

    def count(self, read_bytes: int) -> None:
        """Raises: TooLarge."""
        self._read_bytes += read_bytes
        if self._read_bytes > MOST_BYTES:
            raise TooLarge(f"The endpoint's reply is larger than {MOST_BYTES:,} bytes; it was not read to its end.")


class _Stream(httpcore2.NetworkStream):
    def __init__(self, inner: httpcore2.NetworkStream, guard: Guard) -> None:
        self._inner = inner
        self._guard = guard

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        while True:
            try:
                data = self._inner.read(max_bytes, min(TURN_S, self._guard.left_s()))
            except httpcore2.ReadTimeout:
                continue
            self._guard.count(len(data))
            return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        for start in range(0, len(buffer), WRITTEN_AT_ONCE_BYTES):
            self._inner.write(buffer[start : start + WRITTEN_AT_ONCE_BYTES], self._guard.left_s())

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        secured = self._inner.start_tls(ssl_context, server_hostname, min(CONNECT_S, self._guard.left_s()))
        return _Stream(secured, self._guard)

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


class _Backend(httpcore2.NetworkBackend):
    def __init__(self, guard: Guard) -> None:
        self._guard = guard
        self._inner = httpcore2.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        wait_s = min(CONNECT_S, self._guard.left_s())
        return _Stream(self._inner.connect_tcp(host, port, wait_s, local_address, socket_options), self._guard)


class _Body(httpx2.SyncByteStream):
    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[bytes]:
        yield from self._stream

    def close(self) -> None:
        self._stream.close()


class GuardedTransport(httpx2.BaseTransport):
    """One call's connection. Its failures are httpcore's own, or those of `errors`."""

    def __init__(self, guard: Guard) -> None:
        self._pool = httpcore2.ConnectionPool(
            ssl_context=_ssl_context(),
            max_connections=1,
            max_keepalive_connections=0,
            network_backend=_Backend(guard),
        )

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        url = request.url
        assert isinstance(request.stream, Iterable)
        response = self._pool.handle_request(
            httpcore2.Request(
                method=request.method,
                url=httpcore2.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
                headers=request.headers.raw,
                content=request.stream,
            )
        )
        answer = httpx2.Response(response.status, headers=response.headers, stream=_Body(response.stream))
        if answer.headers.get("content-encoding", "identity") != "identity":
            answer.close()  # a few bytes may unpack to gigabytes; none was asked for
            raise WrongForm("The endpoint's reply is compressed, which was not asked for.")
        return answer

    def close(self) -> None:
        self._pool.close()


@cache
def _ssl_context() -> ssl.SSLContext:
    return httpx2.create_ssl_context()
