"""The client of Gangan, a self-hosted messaging service."""

from .client import Gangan
from .errors import (
    AuthenticationError,
    ConflictError,
    ConnectionFailed,
    Fault,
    GanganError,
    InsufficientBalanceError,
    InvalidRequestError,
    NotFoundError,
    PermissionDeniedError,
    ServiceError,
    TooManyRequestsError,
    WebhookVerificationError,
)
from .webhooks import verify_webhook

__all__ = [
    "AuthenticationError",
    "ConflictError",
    "ConnectionFailed",
    "Fault",
    "Gangan",
    "GanganError",
    "InsufficientBalanceError",
    "InvalidRequestError",
    "NotFoundError",
    "PermissionDeniedError",
    "ServiceError",
    "TooManyRequestsError",
    "WebhookVerificationError",
    "verify_webhook",
]
