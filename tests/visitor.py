"""A browser without JavaScript: it keeps cookies, follows redirects and sends the token of its forms."""

import json
import urllib.request
from dataclasses import dataclass
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode, urljoin, urlsplit


@dataclass(frozen=True)
class Answer:
    status: int
    url: str
    text: str
    headers: dict[str, str]

    def json(self) -> Any:
        return json.loads(self.text)


class Visitor:
    """One person at `address`. `headers` go with every request, as a proxy before the site would add them."""

    def __init__(self, address: str, headers: dict[str, str] | None = None) -> None:
        self.address = address
        self.headers = headers or {}
        # A secure cookie is kept although the test speaks to the site without the proxy that ends TLS.
        self.cookies = CookieJar(DefaultCookiePolicy(secure_protocols=("http", "https")))
        self.opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(self.cookies)
        )

    def get(self, path: str) -> Answer:
        return self._send("GET", path, None, {})

    def post(self, path: str, **fields: object) -> Answer:
        return self._send("POST", path, urlencode(fields).encode(), {"X-CSRFToken": self._token()})

    def put_json(self, path: str, body: object) -> Answer:
        headers = {"X-CSRFToken": self._token(), "Content-Type": "application/json", "Accept": "application/json"}
        return self._send("PUT", path, json.dumps(body).encode(), headers)

    def _token(self) -> str:
        return next((cookie.value or "" for cookie in self.cookies if cookie.name == "csrftoken"), "")

    def _send(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> Answer:
        url = urljoin(self.address, path)
        origin = {"Referer": self._as_a_browser_sees(url)} if body is not None else {}
        request = urllib.request.Request(url, body, {**self.headers, **origin, **headers}, method=method)
        try:
            with self.opener.open(request, timeout=30) as response:
                return Answer(response.status, response.url, response.read().decode(), dict(response.headers))
        except HTTPError as error:
            with error:
                return Answer(error.code, error.url or url, error.read().decode(), dict(error.headers))

    def _as_a_browser_sees(self, url: str) -> str:
        """The address before the proxy."""
        parts = urlsplit(url)
        scheme, host = self.headers.get("X-Forwarded-Proto", parts.scheme), self.headers.get("Host", parts.netloc)
        return parts._replace(scheme=scheme, netloc=host).geturl()
