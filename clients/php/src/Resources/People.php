<?php

// Written by `npm run clients` from openapi.json.

declare(strict_types=1);

namespace Gangan\Resources;

use Gangan\Call;
use Gangan\Types;

/**
 * `people`: what of the service it opens is said at each method.
 *
 * @phpstan-import-type PeopleExportBody from Types
 * @phpstan-import-type PersonExport from Types
 */
final class People
{
    public readonly PeopleErasures $erasures;

    public function __construct(private readonly Call $call)
    {
        $this->erasures = new PeopleErasures($call);
    }

    /**
     * Export what is kept about a number. As JSON, table by table, for the person who asks what you know about them (the right of access). A POST, so that the number stands in no address and no log. What waits or was kept for several people shows only the part about this one. Everything you have is looked through, so there is one at a time: 429 while another is being written.
     *
     * @param PeopleExportBody $body
     * @return PersonExport
     */
    public function export(array $body): array
    {
        return $this->call->request('POST', '/people/export', body: $body);
    }
}
