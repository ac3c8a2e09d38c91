<?php

// Written by `npm run clients` from openapi.json.

declare(strict_types=1);

namespace Gangan\Resources;

use Gangan\Call;
use Gangan\Types;

/**
 * `contacts.changes`: what of the service it opens is said at each method.
 *
 * @phpstan-import-type Change from Types
 * @phpstan-import-type ContactsChangesCreateBody from Types
 */
final class ContactsChanges
{
    public function __construct(private readonly Call $call)
    {
    }

    /**
     * Change or delete many rows. Writes one cell of every row, or deletes the rows: up to 10,000 given by id, or all that a query finds. A thousand rows are done before the answer; for more it reports the progress, which reading the change updates. It continues after a restart. It can be undone for 30 seconds after the last row, or until the next change by the same user.
     *
     * @param ContactsChangesCreateBody $body
     * @return Change
     */
    public function create(array $body): array
    {
        return $this->call->request('POST', '/lists/contact/changes', body: $body);
    }

    /**
     * Read the progress of a bulk change. Users read their own changes, keys those made with keys.
     *
     * @return Change
     */
    public function get(string $id): array
    {
        return $this->call->request('GET', '/lists/contact/changes/' . rawurlencode($id));
    }

    /**
     * Undo a bulk change. Deleted rows are restored with their ids, and changed cells with their previous values. A cell changed since is kept, and counted in `not_restored`. 409 if the time to undo has passed.
     *
     * @return Change
     */
    public function undo(string $id): array
    {
        return $this->call->request('POST', '/lists/contact/changes/' . rawurlencode($id) . '/undo');
    }
}
