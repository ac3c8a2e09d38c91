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
     * Read the OTP settings. Your settings, and the configured defaults of the rest.
     *
     * @return OtpSettingsAnswer
     */
    public function get(): array
    {
        return $this->call->request('GET', '/otp/settings');
    }

    /**
     * Change the OTP settings. The text, the domain for autofill, a second message, and numbers with a fixed token. Fields that are left out stay; null restores the default. Each message of an OTP is charged.
     *
     * @param OtpSettingsUpdateBody $body
     * @return OtpSettingsAnswer
     */
    public function update(array $body = []): array
    {
        return $this->call->request('PATCH', '/otp/settings', body: $body);
    }
}
