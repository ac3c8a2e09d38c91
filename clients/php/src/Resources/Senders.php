<?php

// Written by `npm run clients` from openapi.json.

declare(strict_types=1);

namespace Gangan\Resources;

use Gangan\Call;
use Gangan\Types;

/**
 * `senders`: what of the service it opens is said at each method.
 *
 * @phpstan-import-type RegisteredSender from Types
 * @phpstan-import-type SenderAnswer from Types
 * @phpstan-import-type SenderPage from Types
 * @phpstan-import-type SendersCreateBody from Types
 * @phpstan-import-type SendersUpdateBody from Types
 */
final class Senders
{
    public function __construct(private readonly Call $call)
    {
    }

    /**
     * List your senders. Newest first, with the decision of the operator on each.
     *
     * @param array{limit?: int, page?: int, query_id?: string} $query
     * @return SenderPage
     */
    public function list(array $query = []): array
    {
        return $this->call->request('GET', '/senders', query: $query);
    }

    /**
     * Register a sender. `pending` until the operator approves or rejects it. In live mode only approved senders are used; in the sandbox, and with a test key, any.
     *
     * @param SendersCreateBody $body
     * @return SenderAnswer
     */
    public function create(array $body): array
    {
        return $this->call->request('POST', '/senders', body: $body);
    }

    /**
     * Read a sender. With the decision of the operator.
     *
     * @return SenderAnswer
     */
    public function get(string $id): array
    {
        return $this->call->request('GET', '/senders/' . rawurlencode($id));
    }

    /**
     * Change a sender. A new `sender_id` or `class` is `pending` again. Fields that are left out stay.
     *
     * @param SendersUpdateBody $body
     * @return SenderAnswer
     */
    public function update(string $id, array $body = []): array
    {
        return $this->call->request('PATCH', '/senders/' . rawurlencode($id), body: $body);
    }

    /**
     * Remove a sender. Rejected while it is your default sender.
     *
     */
    public function delete(string $id): void
    {
        $this->call->request('DELETE', '/senders/' . rawurlencode($id));
    }

    /**
     * All entries of `list`, page after page.
     *
     * @param array{limit?: int, page?: int, query_id?: string} $query
     * @return \Generator<int, RegisteredSender>
     */
    public function each(array $query = []): \Generator
    {
        return $this->call->each('senders', 'GET', '/senders', query: $query);
    }
}
