<?php

declare(strict_types=1);

namespace Gangan\Errors;

/** A request that is not signed by the service, or too old. */
final class WebhookVerificationError extends \RuntimeException
{
}
