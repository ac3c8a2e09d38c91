<?php

// Written by `npm run clients` from openapi.json.

declare(strict_types=1);

namespace Gangan\Resources;

use Gangan\Call;
use Gangan\Types;

/**
 * `optouts`: what of the service it opens is said at each method.
 *
 * @phpstan-import-type Optout from Types
 * @phpstan-import-type OptoutPage from Types
 * @phpstan-import-type OptoutsAnswer from Types
 * @phpstan-import-type OptoutsCreateBody from Types
 */
final class Optouts
{
    public function __construct(private readonly Call $call)
    {
    }

    /**
     * List opt-outs. Newest first: people who answered STOP, and numbers you have blocked.
     *
     * @param array{limit?: int, page?: int, query_id?: string, recipient?: string} $query
     * @return OptoutPage
     */
    public function list(array $query = []): array
    {
        return $this->call->request('GET', '/optouts', query: $query);
    }

    /**
     * Block numbers. Messages to them end `rejected` with the code `opted_out` and are not charged, over any API. One-time passwords that a person requests are still sent.
     *
     * @param OptoutsCreateBody $body
     * @return OptoutsAnswer
     */
    public function create(array $body): array
    {
        return $this->call->request('POST', '/optouts', body: $body);
    }

    /**
     * Remove an opt-out. By the id of the entry, or by the phone number.
     *
     */
    public function delete(string $id): void
    {
        $this->call->request('DELETE', '/optouts/' . rawurlencode($id));
    }

    /**
     * All entries of `list`, page after page.
     *
     * @param array{limit?: int, page?: int, query_id?: string, recipient?: string} $query
     * @return \Generator<int, Optout>
     */
    public function each(array $query = []): \Generator
    {
        return $this->call->each('optouts', 'GET', '/optouts', query: $query);
    }
}
