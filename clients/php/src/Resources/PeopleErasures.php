<?php

// Written by `npm run clients` from openapi.json.

declare(strict_types=1);

namespace Gangan\Resources;

use Gangan\Call;
use Gangan\Types;

/**
 * `people.erasures`: what of the service it opens is said at each method.
 *
 * @phpstan-import-type Erasure from Types
 * @phpstan-import-type ErasureAnswer from Types
 * @phpstan-import-type ErasurePage from Types
 * @phpstan-import-type PeopleExportBody from Types
 */
final class PeopleErasures
{
    public function __construct(private readonly Call $call)
    {
    }

    /**
     * Erase a number. Erases the number and the texts sent to and received from it, everywhere (right to erasure). Pending messages are canceled and refunded; money, counters and states stay, under a keyed hash in place of the number; an opt-out stays in force. Runs in the background, continues after a restart, and ends with a receipt: read it until its `status` is `done`. A second request while it runs returns the same erasure. It cannot be undone.
     *
     * @param PeopleExportBody $body
     * @return ErasureAnswer
     */
    public function create(array $body): array
    {
        return $this->call->request('POST', '/people/erasures', body: $body);
    }

    /**
     * List erasures. Newest first. Receipts are kept, and contain no personal data.
     *
     * @param array{limit?: int, page?: int, query_id?: string, number_hash?: string} $query
     * @return ErasurePage
     */
    public function list(array $query = []): array
    {
        return $this->call->request('GET', '/people/erasures', query: $query);
    }

    /**
     * Read the receipt of an erasure. The rows found by table, who requested it and when it ended.
     *
     * @return ErasureAnswer
     */
    public function get(string $id): array
    {
        return $this->call->request('GET', '/people/erasures/' . rawurlencode($id));
    }

    /**
     * All entries of `list`, page after page.
     *
     * @param array{limit?: int, page?: int, query_id?: string, number_hash?: string} $query
     * @return \Generator<int, Erasure>
     */
    public function each(array $query = []): \Generator
    {
        return $this->call->each('erasures', 'GET', '/people/erasures', query: $query);
    }
}
