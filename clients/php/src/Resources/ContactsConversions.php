<?php

// Written by `npm run clients` from openapi.json.

declare(strict_types=1);

namespace Gangan\Resources;

use Gangan\Call;
use Gangan\Types;

/**
 * `contacts.conversions`: what of the service it opens is said at each method.
 *
 * @phpstan-import-type ContactsConversionsCreateBody from Types
 * @phpstan-import-type Conversion from Types
 */
final class ContactsConversions
{
    public function __construct(private readonly Call $call)
    {
    }

    /**
     * Convert a column to another type. With `dry_run` a preview: how many cells fit the type, which do not, and what they become. Otherwise a job converts all cells and then gives the column its type; until then it is read as before. From the start, values written to the column must fit the new type, too. Numbers are stored as `1234.5`, dates as `2026-04-03`. Refused if a smartlist or an open campaign uses the column in a way the type does not allow; 409 while a bulk change or an import is running. It can be undone for 10 minutes, and ends the undo of earlier bulk changes. It continues after a restart.
     *
     * @param ContactsConversionsCreateBody $body
     * @return Conversion
     */
    public function create(string $column_id, array $body): array
    {
        return $this->call->request('POST', '/lists/contact/columns/' . rawurlencode($column_id) . '/conversions', body: $body);
    }

    /**
     * Read the progress of a conversion. Counts of the cells so far, with the first cells that fit and the first that do not.
     *
     * @return Conversion
     */
    public function get(string $id): array
    {
        return $this->call->request('GET', '/lists/contact/conversions/' . rawurlencode($id));
    }

    /**
     * Undo a conversion. The column has its previous type and cells immediately. A cell written since is kept if it fits that type, and otherwise cleared. 409 if the time to undo has passed, or a smartlist or an open campaign depends on the new type.
     *
     * @return Conversion
     */
    public function undo(string $id): array
    {
        return $this->call->request('POST', '/lists/contact/conversions/' . rawurlencode($id) . '/undo');
    }
}
