<?php

declare(strict_types=1);

namespace Gangan;

use Gangan\Errors\WebhookVerificationError;

final class Webhook
{
    private const TOLERANCE_S = 300;

    /**
     * Reads an event that was posted to a callback or a webhook, if it is signed with the secret and not older than
     * five minutes.
     *
     * @param string $body as it came, byte for byte, before anything has parsed it
     * @param array<string, string> $headers
     * @return array<string, mixed>
     */
    public static function verify(string $body, array $headers, string $secret, ?int $now_s = null): array
    {
        $lower = array_change_key_case($headers, CASE_LOWER);
        $id = $lower['webhook-id'] ?? '';
        $timestamp = $lower['webhook-timestamp'] ?? '';
        if ($id === '' || !ctype_digit($timestamp) || abs(($now_s ?? time()) - (int) $timestamp) > self::TOLERANCE_S) {
            throw new WebhookVerificationError('The post has no time, or is too old.');
        }
        $key = base64_decode(preg_replace('/^whsec_/', '', $secret) ?? '', true);
        $wanted = 'v1,' . base64_encode(hash_hmac('sha256', "{$id}.{$timestamp}.{$body}", (string) $key, true));
        foreach (explode(' ', $lower['webhook-signature'] ?? '') as $signature) {
            if ($key !== false && hash_equals($wanted, $signature)) {
                return json_decode($body, true, flags: JSON_THROW_ON_ERROR);
            }
        }
        throw new WebhookVerificationError('The post is not signed with this secret.');
    }
}
