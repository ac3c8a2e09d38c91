from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from typing import Mapping, cast

from .errors import WebhookVerificationError
from .types import Event

_TOLERANCE_S = 300


def verify_webhook(body: bytes | str, headers: Mapping[str, str], secret: str, now_s: float | None = None) -> Event:
    """Reads an event that was posted to a callback or a webhook, if it is signed with the secret and not older than
    five minutes. `body` is the body as it came, byte for byte, before anything has parsed it."""
    raw = body.encode() if isinstance(body, str) else body
    lower = {name.lower(): value for name, value in headers.items()}
    try:
        event_id, timestamp, signatures = (lower[f"webhook-{name}"] for name in ("id", "timestamp", "signature"))
        age_s = abs((time.time() if now_s is None else now_s) - int(timestamp))
    except (KeyError, ValueError):
        raise WebhookVerificationError("The headers of a signed post are missing.") from None
    if age_s > _TOLERANCE_S:
        raise WebhookVerificationError("The post is too old, or from the future.")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{event_id}.{timestamp}.".encode() + raw
    wanted = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    if not any([hmac.compare_digest(wanted.encode(), one.encode()) for one in signatures.split(" ")]):
        raise WebhookVerificationError("The post is not signed with this secret.")
    return cast(Event, json.loads(raw))
