<?php

// Written by `npm run clients` from openapi.json.

declare(strict_types=1);

namespace Gangan\Resources;

use Gangan\Call;
use Gangan\Types;

/**
 * `otp`: what of the service it opens is said at each method.
 *
 * @phpstan-import-type OtpRecord from Types
 * @phpstan-import-type OtpRequestBody from Types
 * @phpstan-import-type OtpVerifyBody from Types
 */
final class Otp
{
    public readonly OtpSettings $settings;
    public readonly OtpGuard $guard;

    public function __construct(private readonly Call $call)
    {
        $this->settings = new OtpSettings($call);
        $this->guard = new OtpGuard($call);
    }

    /**
     * Send a token. Sends a one-time password to a phone number and charges the price of a message on that channel, and the fees for OTPs that the operator may have agreed with you: the one for the verification is refunded if the OTP ends unverified. No answer contains the token; the message is not sent after the token has expired. In live mode a number gets at most five in ten minutes and twenty in a day, and prefixes whose tokens are never verified are slowed, then blocked: 429 with `Retry-After` and the reason.
     *
     * @param OtpRequestBody $body
     * @return OtpRecord
     */
    public function request(array $body, ?string $idempotency_key = null): array
    {
        return $this->call->request('POST', '/otp/request_token', body: $body, keyed: true, idempotency_key: $idempotency_key);
    }

    /**
     * Verify a token. The correct token returns the record with status 4, once. Everything else is a 404 whose `errors[0].type` gives the reason: `invalid`, `expired`, `used`, `revoked`, `max_attempts`, or `not_found` for the id. Five wrong attempts end the OTP. In live mode twenty wrong attempts in a day, over all OTPs of a number, are `max_attempts` too.
     *
     * @param OtpVerifyBody $body
     * @return OtpRecord
     */
    public function verify(array $body): array
    {
        return $this->call->request('POST', '/otp/verify', body: $body);
    }

    /**
     * Read an OTP. The current status: an OTP past its time is EXPIRED. The token is never returned.
     *
     * @return OtpRecord
     */
    public function get(string $id): array
    {
        return $this->call->request('GET', '/otp/' . rawurlencode($id));
    }

    /**
     * Revoke an OTP. It can no longer be verified. A verified OTP stays verified, and the answer is 409. An expired, failed or revoked OTP stays as it is, and the answer is 204.
     *
     */
    public function revoke(string $id): void
    {
        $this->call->request('DELETE', '/otp/' . rawurlencode($id));
    }

    /**
     * List the OTPs of a recipient. Newest first, at most 1,000. The number is read from the query, the path (`/otp/get-by-recipient/2348031234567`) or a JSON body, and may also be named `phone` or `to`; `get_by_recipient` is an alias of the path.
     *
     * @param array{recipient: string} $query
     * @return list<OtpRecord>
     */
    public function list(array $query): array
    {
        return $this->call->request('GET', '/otp/get-by-recipient', query: $query);
    }
}
