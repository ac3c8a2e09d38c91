<?php

// Written by `npm run clients` from openapi.json.

declare(strict_types=1);

namespace Gangan\Resources;

use Gangan\Call;
use Gangan\Types;

/**
 * `settings`: what of the service it opens is said at each method.
 *
 * @phpstan-import-type OrganisationSettingsAnswer from Types
 * @phpstan-import-type SettingsUpdateBody from Types
 */
final class Settings
{
    public function __construct(private readonly Call $call)
    {
    }

    /**
     * Read your settings. Those of your organisation, with what the operator has set.
     *
     * @return OrganisationSettingsAnswer
     */
    public function get(): array
    {
        return $this->call->request('GET', '/settings');
    }

    /**
     * Change your settings. Fields that are not given stay; null takes a value away where there need not be one. A change counts within a second on every process. The currency is the operator’s to set.
     *
     * @param SettingsUpdateBody $body
     * @return OrganisationSettingsAnswer
     */
    public function update(array $body = []): array
    {
        return $this->call->request('PATCH', '/settings', body: $body);
    }
}
