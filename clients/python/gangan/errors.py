from __future__ import annotations

from typing import Any, Mapping, Sequence, TypedDict


class Fault(TypedDict):
    """What is wrong with one field of a request."""

    field: str
    message: str
    type: str


class GanganError(Exception):
    """The service did not carry a request out. Nothing was changed and nothing charged."""

    def __init__(self, status: int, body: Mapping[str, Any], headers: Mapping[str, str]) -> None:
        super().__init__(body.get("message") or f"The service answered {status}.")
        self.status = status
        self.faults: Sequence[Fault] = body.get("errors") or []
        self.request_id = headers.get("x-request-id")
        """What the operator finds it by in the log."""
        try:
            self.retry_after_s: float | None = float(headers.get("retry-after") or "")
        except ValueError:
            self.retry_after_s = None


class InvalidRequestError(GanganError):
    """400, 413, 415: `faults` says what to mend."""


class AuthenticationError(GanganError):
    """401: no such key."""


class InsufficientBalanceError(GanganError):
    """402: the balance does not cover the charge."""


class PermissionDeniedError(GanganError):
    """403: the key lacks the scope."""


class NotFoundError(GanganError):
    """404: there is no such thing; for an OTP, `faults[0]["type"]` says why it is not verified."""


class ConflictError(GanganError):
    """409: the Idempotency-Key was used for something else, or it is too late."""


class TooManyRequestsError(GanganError):
    """429: too many, also after the last try."""


class ServiceError(GanganError):
    """500 and above: the service could not, also after the last try."""


class ConnectionFailed(Exception):
    """No answer came, also after the last try: whether the request was carried out is not known."""


class WebhookVerificationError(Exception):
    """A post that is not from the service, or too old."""


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
