from __future__ import annotations

from .call import Call
from .resources import Resources, Webhooks
from .webhooks import verify_webhook


class VerifyingWebhooks(Webhooks):
    verify = staticmethod(verify_webhook)


class Gangan(Resources):
    """A service, and a key of it. Thread-safe: every request has its own connection."""

    webhooks: VerifyingWebhooks

    def __init__(self, key: str, url: str = "http://127.0.0.1:8080", *, timeout_s: float = 30, tries: int = 4) -> None:
        """`timeout_s` applies to each attempt; `tries` is the number of attempts of requests that may be repeated."""
        call = Call(key=key, url=url, timeout_s=timeout_s, tries=tries)
        super().__init__(call)
        self.webhooks = VerifyingWebhooks(call)
