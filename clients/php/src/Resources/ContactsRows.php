<?php

// Written by `npm run clients` from openapi.json.

declare(strict_types=1);

namespace Gangan\Resources;

use Gangan\Call;
use Gangan\Types;

/**
 * `contacts.rows`: what of the service it opens is said at each method.
 *
 * @phpstan-import-type BulkAnswer from Types
 * @phpstan-import-type ContactRow from Types
 * @phpstan-import-type ContactsRowsBulkBody from Types
 * @phpstan-import-type ContactsRowsCreateBody from Types
 * @phpstan-import-type ContactsRowsExportBody from Types
 * @phpstan-import-type ContactsRowsQueryBody from Types
 * @phpstan-import-type RowAnswer from Types
 * @phpstan-import-type RowsAnswer from Types
 */
final class ContactsRows
{
    public function __construct(private readonly Call $call)
    {
    }

    /**
     * Add a row. With cells for any of the columns. All errors are returned together.
     *
     * @param ContactsRowsCreateBody $body
     * @return RowAnswer
     */
    public function create(array $body): array
    {
        return $this->call->request('POST', '/lists/contact/rows', body: $body);
    }

    /**
     * List all rows. Newest first, or sorted by a column. `POST /lists/contact/rows/query` filters.
     *
     * @param array{limit?: int, per_page?: int, page?: int, query_id?: string, sort?: string, search?: string} $query
     * @return RowsAnswer
     */
    public function list(array $query = []): array
    {
        return $this->call->request('GET', '/lists/contact/rows', query: $query);
    }

    /**
     * Add up to 1,000 rows. All rows, or none if any is invalid; errors name the index of their row.
     *
     * @param ContactsRowsBulkBody $body
     * @return BulkAnswer
     */
    public function bulk(array $body): array
    {
        return $this->call->request('POST', '/lists/contact/rows/bulk', body: $body);
    }

    /**
     * Read a row. `row` is an alias of `rows` in the path.
     *
     * @return RowAnswer
     */
    public function get(string $row_id): array
    {
        return $this->call->request('GET', '/lists/contact/rows/' . rawurlencode($row_id));
    }

    /**
     * Change cells of a row. Cells that are left out stay. `row` is an alias of `rows` in the path.
     *
     * @param ContactsRowsCreateBody $body
     * @return RowAnswer
     */
    public function update(string $row_id, array $body): array
    {
        return $this->call->request('PATCH', '/lists/contact/rows/' . rawurlencode($row_id), body: $body);
    }

    /**
     * Delete a row. `row` is an alias of `rows` in the path.
     *
     */
    public function delete(string $row_id): void
    {
        $this->call->request('DELETE', '/lists/contact/rows/' . rawurlencode($row_id));
    }

    /**
     * Query rows. The rows that match all filters and contain every word of `search`, newest first or sorted by a column. `page` selects a page near the beginning; `query_id` scrolls: while rows are added and deleted, every row that stays is returned exactly once.
     *
     * @param ContactsRowsQueryBody $body
     * @return RowsAnswer
     */
    public function query(array $body = []): array
    {
        return $this->call->request('POST', '/lists/contact/rows/query', body: $body);
    }

    /**
     * Download rows as CSV. All rows that match, with the columns as headers, in UTF-8 with a byte order mark, streamed. A cell that begins with `=`, `+`, `-` or `@` is prefixed with an apostrophe, so that spreadsheets do not execute it; an import removes the apostrophe.
     *
     * @param ContactsRowsExportBody $body
     */
    public function export(array $body = []): string
    {
        return $this->call->request('POST', '/lists/contact/rows/export', body: $body);
    }

    /**
     * All entries of `query`, page after page.
     *
     * @param ContactsRowsQueryBody $body
     * @return \Generator<int, ContactRow>
     */
    public function each(array $body = []): \Generator
    {
        return $this->call->each('rows', 'POST', '/lists/contact/rows/query', body: $body);
    }
}
