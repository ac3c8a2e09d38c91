from __future__ import annotations

from typing import Any, Mapping, Sequence, TypedDict


class Fault(TypedDict):
    """The error of one field of a request."""

    field: str
    message: str
    type: str


class GanganError(Exception):
    """The service rejected a request. Nothing was changed or charged."""

    def __init__(self, status: int, body: Mapping[str, Any], headers: Mapping[str, str]) -> None:
        super().__init__(body.get("message") or f"The service answered {status}.")
        self.status = status
        self.faults: Sequence[Fault] = body.get("errors") or []
        self.request_id = headers.get("x-request-id")
        """The id under which the operator finds it in the log."""
        try:
            self.retry_after_s: float | None = float(headers.get("retry-after") or "")
        except ValueError:
            self.retry_after_s = None


class InvalidRequestError(GanganError):
    """400, 413, 415: `faults` says what to correct."""


class AuthenticationError(GanganError):
    """401: the key is invalid."""


class InsufficientBalanceError(GanganError):
    """402: the balance does not cover the charge."""


class PermissionDeniedError(GanganError):
    """403: the key lacks the scope."""


class NotFoundError(GanganError):
    """404: not found; for an OTP, `faults[0]["type"]` says why it is not verified."""


class ConflictError(GanganError):
    """409: the Idempotency-Key was used for another request, or it is too late."""


class TooManyRequestsError(GanganError):
    """429: too many requests, also after the last attempt."""


class ServiceError(GanganError):
    """500 and above: the service failed, also after the last attempt."""


class ConnectionFailed(Exception):
    """There was no response, also after the last attempt: it is unknown whether the request was carried out."""


class WebhookVerificationError(Exception):
    """A request that is not signed by the service, or too old."""


_KINDS: dict[int, type[GanganError]] = {
    400: InvalidRequestError,
    401: AuthenticationError,
    402: InsufficientBalanceError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    413: InvalidRequestError,
    415: InvalidRequestError,
    429: TooManyRequestsError,
}


def error_for(status: int, body: Mapping[str, Any], headers: Mapping[str, str]) -> GanganError:
    kind = _KINDS.get(status, ServiceError if status >= 500 else GanganError)
    return kind(status, body, headers)
