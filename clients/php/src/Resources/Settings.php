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
     * Read your settings. Settings of your organisation, including those of the operator.
     *
     * @return OrganisationSettingsAnswer
     */
    public function get(): array
    {
        return $this->call->request('GET', '/settings');
    }

    /**
     * Change your settings. Fields that are left out stay; null removes an optional value. A change takes effect within a second on every process. Only the operator sets the currency.
     *
     * @param SettingsUpdateBody $body
     * @return OrganisationSettingsAnswer
     */
    public function update(array $body = []): array
    {
        return $this->call->request('PATCH', '/settings', body: $body);
    }
}
