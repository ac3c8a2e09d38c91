<?php

// Written by `npm run clients` from openapi.json.

declare(strict_types=1);

namespace Gangan\Resources;

use Gangan\Call;
use Gangan\Types;

/**
 * `contacts.columns`: what of the service it opens is said at each method.
 *
 * @phpstan-import-type ColumnAnswer from Types
 * @phpstan-import-type ContactsColumnsCreateBody from Types
 * @phpstan-import-type ContactsColumnsListAnswer from Types
 * @phpstan-import-type ContactsColumnsUpdateBody from Types
 */
final class ContactsColumns
{
    public function __construct(private readonly Call $call)
    {
    }

    /**
     * List the columns. In display order.
     *
     * @return ContactsColumnsListAnswer
     */
    public function list(): array
    {
        return $this->call->request('GET', '/lists/contact/columns');
    }

    /**
     * Add a column. At the end of the table, with empty cells.
     *
     * @param ContactsColumnsCreateBody $body
     * @return ColumnAnswer
     */
    public function create(array $body): array
    {
        return $this->call->request('POST', '/lists/contact/columns', body: $body);
    }

    /**
     * Rename a column, change its options or move it. The type of a column cannot change. Cells keep their values, even if they are no longer an option.
     *
     * @param ContactsColumnsUpdateBody $body
     * @return ColumnAnswer
     */
    public function update(string $column_id, array $body = []): array
    {
        return $this->call->request('PATCH', '/lists/contact/columns/' . rawurlencode($column_id), body: $body);
    }

    /**
     * Delete a column with its cells. Refused while a smartlist filters by it.
     *
     */
    public function delete(string $column_id): void
    {
        $this->call->request('DELETE', '/lists/contact/columns/' . rawurlencode($column_id));
    }
}
