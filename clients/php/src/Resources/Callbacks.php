<?php

// Written by `npm run clients` from openapi.json.

declare(strict_types=1);

namespace Gangan\Resources;

use Gangan\Call;
use Gangan\Types;

/**
 * `callbacks`: what of the service it opens is said at each method.
 *
 * @phpstan-import-type CallbackAnswer from Types
 * @phpstan-import-type CallbackPage from Types
 * @phpstan-import-type CallbackWithAttemptsAnswer from Types
 * @phpstan-import-type ListedCallback from Types
 */
final class Callbacks
{
    public function __construct(private readonly Call $call)
    {
    }

    /**
     * List callbacks. Newest first: all of them, or those of one message, one webhook, one `webhook-id`, or one status.
     *
     * @param array{limit?: int, page?: int, query_id?: string, subject_id?: string, webhook_id?: string, event_id?: string, status?: 'pending'|'delivered'|'stopped'|'failed'} $query
     * @return CallbackPage
     */
    public function list(array $query = []): array
    {
        return $this->call->request('GET', '/callbacks', query: $query);
    }

    /**
     * Read a callback with its attempts. With the body as it was posted, and every attempt: its time, its duration, and the answer of your endpoint.
     *
     * @return CallbackWithAttemptsAnswer
     */
    public function get(string $id): array
    {
        return $this->call->request('GET', '/callbacks/' . rawurlencode($id));
    }

    /**
     * Resend a callback. Immediately, with the same `webhook-id` and body, whatever its status. A callback of a registered webhook goes to the current URL of that webhook.
     *
     * @return CallbackAnswer
     */
    public function replay(string $id): array
    {
        return $this->call->request('POST', '/callbacks/' . rawurlencode($id) . '/replay');
    }

    /**
     * All entries of `list`, page after page.
     *
     * @param array{limit?: int, page?: int, query_id?: string, subject_id?: string, webhook_id?: string, event_id?: string, status?: 'pending'|'delivered'|'stopped'|'failed'} $query
     * @return \Generator<int, ListedCallback>
     */
    public function each(array $query = []): \Generator
    {
        return $this->call->each('callbacks', 'GET', '/callbacks', query: $query);
    }
}
