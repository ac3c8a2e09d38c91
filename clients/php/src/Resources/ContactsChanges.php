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
     * Change or delete many rows. Writes one cell of every row, or deletes the rows: up to 10,000 that are named, or all a query finds. A thousand are done when the answer comes; of more it says how far it is, and reading the change says more. A restart goes on where it left off. For 30 seconds after the last row, or until the next change by the same person, it can be taken back.
     *
     * @param ContactsChangesCreateBody $body
     * @return Change
     */
    public function create(array $body): array
    {
        return $this->call->request('POST', '/lists/contact/changes', body: $body);
    }

    /**
     * See how far a change of many rows is. Of a person only their own, of a key those made with keys.
     *
     * @return Change
     */
    public function get(string $id): array
    {
        return $this->call->request('GET', '/lists/contact/changes/' . rawurlencode($id));
    }

    /**
     * Take a change of many rows back. Deleted rows come back as they were, with their ids; changed cells say again what they said. A cell that somebody has changed since stays, and is counted in `not_restored`. 409 when it is too late.
     *
     * @return Change
     */
    public function undo(string $id): array
    {
        return $this->call->request('POST', '/lists/contact/changes/' . rawurlencode($id) . '/undo');
    }
}
