<?php

// Written by `npm run clients` from openapi.json.

declare(strict_types=1);

namespace Gangan\Resources;

use Gangan\Call;
use Gangan\Types;
use Gangan\Webhook;

/**
 * `webhooks`: what of the service it opens is said at each method.
 *
 * @phpstan-import-type CallbackAnswer from Types
 * @phpstan-import-type Webhook from Types
 * @phpstan-import-type WebhookAnswer from Types
 * @phpstan-import-type WebhookPage from Types
 * @phpstan-import-type WebhookWithSecretAnswer from Types
 * @phpstan-import-type WebhooksCreateBody from Types
 * @phpstan-import-type WebhooksReplayAnswer from Types
 * @phpstan-import-type WebhooksReplayBody from Types
 * @phpstan-import-type WebhooksRotateBody from Types
 * @phpstan-import-type WebhooksUpdateBody from Types
 */
final class Webhooks
{
    public function __construct(private readonly Call $call)
    {
    }

    /**
     * List webhooks. Newest first. Secrets are not returned.
     *
     * @param array{limit?: int, page?: int, query_id?: string} $query
     * @return WebhookPage
     */
    public function list(array $query = []): array
    {
        return $this->call->request('GET', '/webhooks', query: $query);
    }

    /**
     * Register a webhook. Every later event that matches its filter is posted there, in addition to the `callback` of a request. An event sent to several endpoints has the same `webhook-id` at each of them. Posts are signed with the secret of this answer, which is returned only once. An endpoint that fails for days without one success, or answers 410, is disabled; `disabled_reason` says why.
     *
     * @param WebhooksCreateBody $body
     * @return WebhookWithSecretAnswer
     */
    public function create(array $body): array
    {
        return $this->call->request('POST', '/webhooks', body: $body);
    }

    /**
     * Read a webhook. With the reason and start of its failures, if any. Its secret is not returned.
     *
     * @return WebhookAnswer
     */
    public function get(string $id): array
    {
        return $this->call->request('GET', '/webhooks/' . rawurlencode($id));
    }

    /**
     * Change a webhook. Fields that are left out stay. Pending callbacks go to the new `url`. While a webhook is disabled no events are stored for it, and pending callbacks are stopped when they become due; they can be resent later. A new `url` of a Twilio-style webhook also needs the scope `sms`.
     *
     * @param WebhooksUpdateBody $body
     * @return WebhookAnswer
     */
    public function update(string $id, array $body = []): array
    {
        return $this->call->request('PATCH', '/webhooks/' . rawurlencode($id), body: $body);
    }

    /**
     * Delete a webhook. Its pending callbacks become `stopped`. One in flight may still arrive.
     *
     */
    public function delete(string $id): void
    {
        $this->call->request('DELETE', '/webhooks/' . rawurlencode($id));
    }

    /**
     * Rotate the secret of a webhook. For `overlap_hours` posts carry two signatures, of the new secret and of the previous one, so that your endpoint can switch. 0 revokes the old one immediately.
     *
     * @param WebhooksRotateBody $body
     * @return WebhookWithSecretAnswer
     */
    public function rotate(string $id, array $body = []): array
    {
        return $this->call->request('POST', '/webhooks/' . rawurlencode($id) . '/rotate', body: $body);
    }

    /**
     * Send a test event. Posts one event of type `webhook.test`, regardless of the filter and even while the webhook is disabled. `GET /callbacks/&#123;id&#125;` with the id of the answer returns its outcome.
     *
     * @return CallbackAnswer
     */
    public function test(string $id): array
    {
        return $this->call->request('POST', '/webhooks/' . rawurlencode($id) . '/test');
    }

    /**
     * Resend failed events. Requeues the callbacks of this webhook that failed or were stopped in a period, with the same `webhook-id` and body. Up to 10,000 per request: repeat it until `complete` is true.
     *
     * @param WebhooksReplayBody $body
     * @return WebhooksReplayAnswer
     */
    public function replay(string $id, array $body): array
    {
        return $this->call->request('POST', '/webhooks/' . rawurlencode($id) . '/replay', body: $body);
    }

    /**
     * All entries of `list`, page after page.
     *
     * @param array{limit?: int, page?: int, query_id?: string} $query
     * @return \Generator<int, Webhook>
     */
    public function each(array $query = []): \Generator
    {
        return $this->call->each('webhooks', 'GET', '/webhooks', query: $query);
    }

    /**
     * Reads an event that was posted to you, if it is signed with the secret and not older than five minutes.
     *
     * @param string $body as it came, byte for byte
     * @param array<string, string> $headers
     * @return array<string, mixed>
     */
    public function verify(string $body, array $headers, string $secret): array
    {
        return Webhook::verify($body, $headers, $secret);
    }
}
