<?php

// Written by `npm run clients` from openapi.json.

declare(strict_types=1);

namespace Gangan\Resources;

use Gangan\Call;
use Gangan\Types;

/**
 * `contacts`: what of the service it opens is said at each method.
 *
 * @phpstan-import-type ContactTable from Types
 */
final class Contacts
{
    public readonly ContactsRows $rows;
    public readonly ContactsColumns $columns;
    public readonly ContactsConversions $conversions;
    public readonly ContactsChanges $changes;
    public readonly ContactsSmartlists $smartlists;
    public readonly ContactsImports $imports;
    public readonly ContactsSends $sends;

    public function __construct(private readonly Call $call)
    {
        $this->rows = new ContactsRows($call);
        $this->columns = new ContactsColumns($call);
        $this->conversions = new ContactsConversions($call);
        $this->changes = new ContactsChanges($call);
        $this->smartlists = new ContactsSmartlists($call);
        $this->imports = new ContactsImports($call);
        $this->sends = new ContactsSends($call);
    }

    /**
     * Read the contact table. Its columns. An organisation without a table gets one with the columns Name, Email and Mobile.
     *
     * @return ContactTable
     */
    public function get(): array
    {
        return $this->call->request('GET', '/lists/contact');
    }
}
