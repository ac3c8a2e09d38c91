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
     * Export the data of a number. As JSON, table by table, for a person who requests their data (right of access). A POST, so that the number is in no URL and no log. Records about several people contain only the part about this one. The export scans all your data, so only one runs at a time: 429 while another is being written.
     *
     * @param PeopleExportBody $body
     * @return PersonExport
     */
    public function export(array $body): array
    {
        return $this->call->request('POST', '/people/export', body: $body);
    }
}
