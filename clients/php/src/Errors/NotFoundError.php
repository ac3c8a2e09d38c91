<?php

declare(strict_types=1);

namespace Gangan\Errors;

/** 404: not found; for an OTP, `faults[0]['type']` says why it is not verified. */
final class NotFoundError extends GanganError
{
}
