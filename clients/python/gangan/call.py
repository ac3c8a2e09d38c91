from __future__ import annotations

import json
import random
import time
import uuid
from http.client import HTTPException
from typing import Any, Final, Iterator, Mapping
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPRedirectHandler, Request, build_opener

from .errors import ConnectionFailed, GanganError, error_for

_FIRST_WAIT_S = 0.5
_LONGEST_WAIT_S = 60.0


class NotGiven:
    """Stands for an omitted field; `None` is sent, and clears a value."""

    def __repr__(self) -> str:
        return "NOT_GIVEN"


NOT_GIVEN: Final = NotGiven()


def given(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if not isinstance(value, NotGiven)}


class _NoRedirects(HTTPRedirectHandler):
    """The key is not sent to other hosts."""

    def redirect_request(self, *_args: Any, **_more: Any) -> None:
        return None


class Call:
    """Makes requests, and retries those that may be repeated: reads, and writes with an Idempotency-Key."""

    def __init__(self, *, key: str, url: str, timeout_s: float, tries: int) -> None:
        self._key = key
        self._url = url.rstrip("/")
        self._timeout_s = timeout_s
        self._tries = tries
        self._opener = build_opener(_NoRedirects)

    def __call__(
        self,
        method: str,
        path: str,
        *,
        body: Mapping[str, Any] | None = None,
        file: tuple[bytes, str] | None = None,
        query: Mapping[str, Any] | None = None,
        keyed: bool = False,
        idempotency_key: str | None = None,
        as_bytes: bool = False,
    ) -> Any:
        headers = {"Authorization": self._key, "Accept": "application/json, text/csv"}
        data = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            data = json.dumps(body, ensure_ascii=False).encode()
        if file is not None:
            data, headers["Content-Type"] = file
        if keyed:
            headers["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
        request = Request(self._url + path + _query_text(query), data=data, headers=headers, method=method)
        may_repeat = keyed or method == "GET"
        attempt = 1
        while True:
            try:
                return self._try_once(request, as_bytes)
            except (GanganError, ConnectionFailed) as fault:
                if not may_repeat or attempt >= self._tries or not _is_passing(fault, attempt):
                    raise
                time.sleep(_wait_s(fault, attempt))
                attempt += 1

    def _try_once(self, request: Request, as_bytes: bool) -> Any:
        try:
            with self._opener.open(request, timeout=self._timeout_s) as response:
                content = response.read()
                if as_bytes:
                    return content
                if response.status == 204:
                    return None
                text = content.decode()
                return json.loads(text) if "json" in (response.headers.get("content-type") or "") else text
        except HTTPError as refused:
            with refused:
                raise error_for(refused.code, _read_error(refused), refused.headers) from None
        except (OSError, HTTPException) as cause:
            raise ConnectionFailed("The service did not answer.") from cause


def each(
    call: Call,
    field: str,
    method: str,
    path: str,
    *,
    body: Mapping[str, Any] | None = None,
    query: Mapping[str, Any] | None = None,
) -> Iterator[Any]:
    """Iterates over all entries of a list; pages are fetched as needed."""
    place: dict[str, str] = {}
    while True:
        asked_body = None if body is None else {**body, **place}
        asked_query = {**(query or {}), **place} if body is None else None
        page = call(method, path, body=asked_body, query=asked_query)
        yield from page[field]
        pagination = page["meta"]["pagination"]
        if pagination["next_page"] != "True":
            return
        place = {"query_id": pagination["query_id"]}


def _read_error(refused: HTTPError) -> Mapping[str, Any]:
    """The response of a proxy need not be JSON."""
    try:
        body = json.loads(refused.read())
    except (OSError, ValueError, HTTPException):
        return {}
    return body if isinstance(body, dict) else {}


def _is_passing(fault: Exception, attempt: int) -> bool:
    """409 to a retry: the first attempt is still in progress."""
    if not isinstance(fault, GanganError):
        return True
    return fault.status in (429, 503) or (fault.status == 409 and attempt > 1)


def _wait_s(fault: Exception, attempt: int) -> float:
    """As long as the service says; otherwise doubled with each attempt, with jitter."""
    said = getattr(fault, "retry_after_s", None)
    own = _FIRST_WAIT_S * 2 ** (attempt - 1) * random.uniform(0.75, 1.25)
    return min(_LONGEST_WAIT_S, own if said is None else said)


def _query_text(query: Mapping[str, Any] | None) -> str:
    pairs = {name: _query_value(value) for name, value in (query or {}).items() if value is not None}
    return f"?{urlencode(pairs)}" if pairs else ""


def _query_value(value: Any) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)
