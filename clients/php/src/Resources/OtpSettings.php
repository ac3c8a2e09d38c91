<?php

// Written by `npm run clients` from openapi.json.

declare(strict_types=1);

namespace Gangan\Resources;

use Gangan\Call;
use Gangan\Types;

/**
 * `otp.settings`: what of the service it opens is said at each method.
 *
 * @phpstan-import-type OtpSettingsAnswer from Types
 * @phpstan-import-type OtpSettingsUpdateBody from Types
 */
final class OtpSettings
{
    public function __construct(private readonly Call $call)
    {
    }

    /**
     * Read how your OTPs are sent. What you have set, and what the configuration says about the rest.
     *
     * @return OtpSettingsAnswer
     */
    public function get(): array
    {
        return $this->call->request('GET', '/otp/settings');
    }

    /**
     * Change how your OTPs are sent. The text, the domain phones may fill the code in for, the channel to fall back to, and numbers with a fixed token. Fields that are not given stay; null takes the default again. Each channel a token goes out on is charged once.
     *
     * @param OtpSettingsUpdateBody $body
     * @return OtpSettingsAnswer
     */
    public function update(array $body = []): array
    {
        return $this->call->request('PATCH', '/otp/settings', body: $body);
    }
}
