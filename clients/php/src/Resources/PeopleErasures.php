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
     * Erase a number. Everywhere: the number and the texts sent to it and received from it (the right to erasure). Messages that wait are canceled and refunded; money, counters and states stay, under a keyed hash in place of the number; an opt-out stays in force. It works in the background, goes on after a restart, and ends with a receipt: read it until its `status` is `done`. Asked again while it runs it is the same erasure. It cannot be undone.
     *
     * @param PeopleExportBody $body
     * @return ErasureAnswer
     */
    public function create(array $body): array
    {
        return $this->call->request('POST', '/people/erasures', body: $body);
    }

    /**
     * List erasures. Newest first. Receipts are kept, and name nobody.
     *
     * @param array{limit?: int, page?: int, query_id?: string, number_hash?: string} $query
     * @return ErasurePage
     */
    public function list(array $query = []): array
    {
        return $this->call->request('GET', '/people/erasures', query: $query);
    }

    /**
     * Read the receipt of an erasure. What was found in which table, by whom it was asked for and when it ended.
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
