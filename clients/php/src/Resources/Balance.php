<?php

// Written by `npm run clients` from openapi.json.

declare(strict_types=1);

namespace Gangan\Resources;

use Gangan\Call;
use Gangan\Types;

/**
 * `balance`: what of the service it opens is said at each method.
 *
 * @phpstan-import-type AccountPage from Types
 * @phpstan-import-type LedgerEntry from Types
 */
final class Balance
{
    public function __construct(private readonly Call $call)
    {
    }

    /**
     * Read the balance and its ledger. The balance is always the sum of all ledger lines. Newest lines first.
     *
     * @param array{limit?: int, page?: int, query_id?: string} $query
     * @return AccountPage
     */
    public function get(array $query = []): array
    {
        return $this->call->request('GET', '/balance', query: $query);
    }

    /**
     * All entries of `get`, page after page.
     *
     * @param array{limit?: int, page?: int, query_id?: string} $query
     * @return \Generator<int, LedgerEntry>
     */
    public function each(array $query = []): \Generator
    {
        return $this->call->each('entries', 'GET', '/balance', query: $query);
    }
}
