<?php

declare(strict_types=1);

namespace Gangan\Errors;

/** A post that is not from the service, or too old. */
final class WebhookVerificationError extends \RuntimeException
{
}
