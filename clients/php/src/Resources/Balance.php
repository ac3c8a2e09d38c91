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
     * Read the balance and its ledger. The balance is the sum of all ledger entries. Lists entries newest first: all of them, or those of a period, a kind, a message or a reference of yours. With a period, `opening_balance` and `closing_balance` are the balances before and after it, regardless of other filters.
     *
     * @param array{limit?: int, page?: int, query_id?: string, from?: string, until?: string, external_ref?: string, campaign_id?: string, kind?: 'opening'|'top_up'|'adjustment'|'message'|'otp'|'airtime'|'lookup'|'refund', subject_id?: string, group?: 'campaign'} $query
     * @return AccountPage
     */
    public function get(array $query = []): array
    {
        return $this->call->request('GET', '/balance', query: $query);
    }

    /**
     * Download the ledger as CSV. All entries that `GET /balance` lists, newest first.
     *
     * @param array{from?: string, until?: string, external_ref?: string, campaign_id?: string, kind?: 'opening'|'top_up'|'adjustment'|'message'|'otp'|'airtime'|'lookup'|'refund', subject_id?: string} $query
     */
    public function export(array $query = []): string
    {
        return $this->call->request('GET', '/balance.csv', query: $query);
    }

    /**
     * List the cost of messages. One entry per message accepted in the period, newest first: what was charged, refunded since, and remains. Messages are deleted when their retention ends; the ledger stays.
     *
     * @param array{limit?: int, query_id?: string, from?: string, until?: string, external_ref?: string, campaign_id?: string, group?: 'campaign'} $query
     * @return MessageCostPage
     */
    public function messages(array $query = []): array
    {
        return $this->call->request('GET', '/balance/messages', query: $query);
    }

    /**
     * Download the cost of messages as CSV. Everything that `GET /balance/messages` lists, newest first.
     *
     * @param array{from?: string, until?: string, external_ref?: string, campaign_id?: string} $query
     */
    public function exportMessages(array $query = []): string
    {
        return $this->call->request('GET', '/balance/messages.csv', query: $query);
    }

    /**
     * All entries of `get`, page after page.
     *
     * @param array{limit?: int, page?: int, query_id?: string, from?: string, until?: string, external_ref?: string, campaign_id?: string, kind?: 'opening'|'top_up'|'adjustment'|'message'|'otp'|'airtime'|'lookup'|'refund', subject_id?: string, group?: 'campaign'} $query
     * @return \Generator<int, LedgerEntry>
     */
    public function each(array $query = []): \Generator
    {
        return $this->call->each('entries', 'GET', '/balance', query: $query);
    }
}
