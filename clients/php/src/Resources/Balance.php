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
 * @phpstan-import-type MessageCostPage from Types
 */
final class Balance
{
    public function __construct(private readonly Call $call)
    {
    }

    /**
     * Read the balance and its ledger. The balance is always the sum of all ledger lines. Newest lines first: all of them, or those of a time, a kind, a message or a reference of yours. With a time, `opening_balance` and `closing_balance` are what there was before and after it, whatever else is asked for.
     *
     * @param array{limit?: int, page?: int, query_id?: string, from?: string, until?: string, external_ref?: string, kind?: 'opening'|'top_up'|'adjustment'|'message'|'airtime'|'lookup'|'refund', subject_id?: string} $query
     * @return AccountPage
     */
    public function get(array $query = []): array
    {
        return $this->call->request('GET', '/balance', query: $query);
    }

    /**
     * Download the ledger as CSV. The lines that `GET /balance` lists, all of them, newest first.
     *
     * @param array{from?: string, until?: string, external_ref?: string, kind?: 'opening'|'top_up'|'adjustment'|'message'|'airtime'|'lookup'|'refund', subject_id?: string} $query
     */
    public function export(array $query = []): string
    {
        return $this->call->request('GET', '/balance.csv', query: $query);
    }

    /**
     * See what each message came to. One line for each message that was accepted in that time, newest first: what was charged, what was given back since, and what is left. Messages go when their retention ends; the ledger stays.
     *
     * @param array{limit?: int, query_id?: string, from?: string, until?: string, external_ref?: string} $query
     * @return MessageCostPage
     */
    public function messages(array $query = []): array
    {
        return $this->call->request('GET', '/balance/messages', query: $query);
    }

    /**
     * Download what each message came to as CSV. What `GET /balance/messages` lists, all of it, newest first.
     *
     * @param array{from?: string, until?: string, external_ref?: string} $query
     */
    public function exportMessages(array $query = []): string
    {
        return $this->call->request('GET', '/balance/messages.csv', query: $query);
    }

    /**
     * All entries of `get`, page after page.
     *
     * @param array{limit?: int, page?: int, query_id?: string, from?: string, until?: string, external_ref?: string, kind?: 'opening'|'top_up'|'adjustment'|'message'|'airtime'|'lookup'|'refund', subject_id?: string} $query
     * @return \Generator<int, LedgerEntry>
     */
    public function each(array $query = []): \Generator
    {
        return $this->call->each('entries', 'GET', '/balance', query: $query);
    }
}
