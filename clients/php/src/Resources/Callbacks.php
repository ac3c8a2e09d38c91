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
     * List callbacks. Newest first: all of them, or those about one message, of one webhook, with one `webhook-id`, or in one state.
     *
     * @param array{limit?: int, page?: int, query_id?: string, subject_id?: string, webhook_id?: string, event_id?: string, status?: 'pending'|'delivered'|'stopped'|'failed'} $query
     * @return CallbackPage
     */
    public function list(array $query = []): array
    {
        return $this->call->request('GET', '/callbacks', query: $query);
    }

    /**
     * Read a callback with every try. With the body as it was posted, and every try: when, how long, and what your endpoint answered.
     *
     * @return CallbackWithAttemptsAnswer
     */
    public function get(string $id): array
    {
        return $this->call->request('GET', '/callbacks/' . rawurlencode($id));
    }

    /**
     * Send a callback again. At once, with the same `webhook-id` and body, whatever became of it before. What was for a registered webhook goes where that webhook points now.
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
