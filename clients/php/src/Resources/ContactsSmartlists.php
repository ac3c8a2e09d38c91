<?php

// Written by `npm run clients` from openapi.json.

declare(strict_types=1);

namespace Gangan\Resources;

use Gangan\Call;
use Gangan\Types;

/**
 * `contacts.smartlists`: what of the service it opens is said at each method.
 *
 * @phpstan-import-type ContactsSmartlistsCreateBody from Types
 * @phpstan-import-type ContactsSmartlistsUpdateBody from Types
 * @phpstan-import-type CountedSmartlist from Types
 * @phpstan-import-type Smartlist from Types
 * @phpstan-import-type SmartlistPage from Types
 */
final class ContactsSmartlists
{
    public function __construct(private readonly Call $call)
    {
    }

    /**
     * List smartlists. Newest first, without row counts.
     *
     * @param array{limit?: int, page?: int, query_id?: string} $query
     * @return SmartlistPage
     */
    public function list(array $query = []): array
    {
        return $this->call->request('GET', '/lists/contact/smartlists', query: $query);
    }

    /**
     * Save filters as a smartlist. A smartlist contains the rows that match its filters at the time it is used; without filters, all rows.
     *
     * @param ContactsSmartlistsCreateBody $body
     * @return CountedSmartlist
     */
    public function create(array $body): array
    {
        return $this->call->request('POST', '/lists/contact/smartlists', body: $body);
    }

    /**
     * Read a smartlist. With its filters and its current row count.
     *
     * @return CountedSmartlist
     */
    public function get(string $id): array
    {
        return $this->call->request('GET', '/lists/contact/smartlists/' . rawurlencode($id));
    }

    /**
     * Change a smartlist. Fields that are left out stay. New filters replace all saved ones.
     *
     * @param ContactsSmartlistsUpdateBody $body
     * @return CountedSmartlist
     */
    public function update(string $id, array $body = []): array
    {
        return $this->call->request('PATCH', '/lists/contact/smartlists/' . rawurlencode($id), body: $body);
    }

    /**
     * Delete a smartlist. The rows stay. Messages being sent to it are not stopped.
     *
     */
    public function delete(string $id): void
    {
        $this->call->request('DELETE', '/lists/contact/smartlists/' . rawurlencode($id));
    }

    /**
     * All entries of `list`, page after page.
     *
     * @param array{limit?: int, page?: int, query_id?: string} $query
     * @return \Generator<int, Smartlist>
     */
    public function each(array $query = []): \Generator
    {
        return $this->call->each('smartlists', 'GET', '/lists/contact/smartlists', query: $query);
    }
}
