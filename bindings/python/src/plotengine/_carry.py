# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""How the hosts of a synchronization carry requests: by httpx where it is installed, and by urllib where it is not."""

from __future__ import annotations

import http.client
import urllib.error
import urllib.request
import zlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from ._sync import SyncRequest

try:
    import httpx
except ImportError:
    httpx = None  # type: ignore[assignment]

Receive = Callable[[bytes], object]


class Failure(Exception):
    """There is no answer; its text says why."""


class Answer(NamedTuple):
    """An answer of the service, its body decoded."""

    status: int
    headers: dict[str, str]
    body: bytes


def text(found: str) -> str:
    """A stranger's words, as a text that the library takes."""
    return found.encode(errors="replace").decode().replace("\0", " ")[:4096]


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_arguments: Any) -> None:
        """A token goes to the service that the configuration names, and nowhere else."""


def _take(
    request: SyncRequest, status: int, headers: Mapping[str, str], pieces: Iterator[bytes], receive: Receive | None
) -> Answer:
    """The answer of these pieces, decoded, and whole or cut at the request's limit; those of a stream are handed on."""
    found = {name.lower(): value for name, value in headers.items()}
    if request.stream and status == 200 and receive is not None:
        for data in pieces:
            receive(data)
        raise Failure("the service has ended the stream")
    decoder = zlib.decompressobj(31) if found.get("content-encoding") == "gzip" else None
    body, size, most = b"", 0, request.largest_body + 1
    for data in pieces:
        size += len(data)
        body += data[: most - len(body)] if decoder is None else decoder.decompress(data, most - len(body))
        if len(body) == most:
            return Answer(status, found, body)
    if size != int(found.get("content-length", size)) or (decoder is not None and size and not decoder.eof):
        raise Failure("the answer was cut off")
    return Answer(status, found, body)


def _by_urllib(request: SyncRequest, headers: dict[str, str], receive: Receive | None) -> Answer:
    asked = urllib.request.Request(request.url, request.body, headers, method=request.method)
    try:
        try:
            response: Any = urllib.request.build_opener(_NoRedirects).open(asked, timeout=request.timeout)
        except urllib.error.HTTPError as error:
            response = error
        with response:
            read = response.read1 if hasattr(response, "read1") else response.read
            pieces = iter(lambda: read(1 << 16), b"")
            return _take(request, response.status, dict(response.headers.items()), pieces, receive)
    except (OSError, http.client.HTTPException, zlib.error, ValueError) as error:
        raise Failure(str(error) or type(error).__name__) from error


def _by_httpx(client: Any, request: SyncRequest, headers: dict[str, str], receive: Receive | None) -> Answer:
    try:
        with client.stream(
            request.method, request.url, headers=headers, content=request.body, timeout=request.timeout
        ) as response:
            # Decoded here: httpx does not mind where a compressed body ends.
            return _take(request, response.status_code, response.headers, response.iter_raw(), receive)
    except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, zlib.error, ValueError, RuntimeError) as error:
        raise Failure(str(error) or type(error).__name__) from error


class Carrier:
    """Makes requests; one at a time beside a stream."""

    def __init__(self) -> None:
        self._client = httpx.Client(follow_redirects=False) if httpx is not None else None

    def carry(self, request: SyncRequest, receive: Receive | None = None) -> Answer:
        """The answer; pieces of a stream go to ``receive``. Raises a ``Failure``."""
        headers = {**request.headers, "Accept-Encoding": "identity" if request.stream else "gzip"}
        if self._client is not None:
            return _by_httpx(self._client, request, headers, receive)
        return _by_urllib(request, headers, receive)

    def close(self) -> None:
        """Lets go of connections."""
        if self._client is not None:
            self._client.close()
