<?php

// Written by `npm run clients` from openapi.json.

declare(strict_types=1);

namespace Gangan\Resources;

use Gangan\Call;
use Gangan\Types;

/**
 * `contacts.imports`: what of the service it opens is said at each method.
 *
 * @phpstan-import-type ContactsImportsCreateBody from Types
 * @phpstan-import-type ContactsImportsListAnswer from Types
 * @phpstan-import-type Import from Types
 * @phpstan-import-type ImportWithFaults from Types
 */
final class ContactsImports
{
    public function __construct(private readonly Call $call)
    {
    }

    /**
     * Import rows from CSV. Send the file as the body with content type `text/csv` (up to 256 MiB; the first line holds the headers; comma, semicolon, tab or bar; UTF-8 or Windows-1252) and the options as query parameters, or everything as JSON. Answers once the file is stored; read the import for its progress. A line with the phone number of an existing row updates that row, unless `allow_duplicates` is true. Valid lines are written, rejected ones can be downloaded. It continues after a restart.
     *
     * @param ContactsImportsCreateBody $body
     * @return ImportWithFaults
     */
    public function create(array $body = []): array
    {
        return $this->call->request('POST', '/lists/contact/imports', body: $body);
    }

    /**
     * List imports. Newest first, each with its progress.
     *
     * @param array{limit?: int, page?: int, query_id?: string} $query
     * @return ContactsImportsListAnswer
     */
    public function list(array $query = []): array
    {
        return $this->call->request('GET', '/lists/contact/imports', query: $query);
    }

    /**
     * Read the progress of an import. Lines read, written and rejected so far, with the first errors.
     *
     * @return ImportWithFaults
     */
    public function get(string $id): array
    {
        return $this->call->request('GET', '/lists/contact/imports/' . rawurlencode($id));
    }

    /**
     * Cancel an import. Rows already written stay.
     *
     */
    public function cancel(string $id): void
    {
        $this->call->request('DELETE', '/lists/contact/imports/' . rawurlencode($id));
    }

    /**
     * Download the rejected lines as CSV. Each with its line number and error, to be corrected and imported again.
     *
     */
    public function rejects(string $id): string
    {
        return $this->call->request('GET', '/lists/contact/imports/' . rawurlencode($id) . '/rejects');
    }

    /**
     * All entries of `list`, page after page.
     *
     * @param array{limit?: int, page?: int, query_id?: string} $query
     * @return \Generator<int, Import>
     */
    public function each(array $query = []): \Generator
    {
        return $this->call->each('imports', 'GET', '/lists/contact/imports', query: $query);
    }
}
