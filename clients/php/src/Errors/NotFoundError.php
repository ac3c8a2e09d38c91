<?php

declare(strict_types=1);

namespace Gangan\Errors;

/** 404: there is no such thing; for an OTP, `faults[0]['type']` says why it is not verified. */
final class NotFoundError extends GanganError
{
}
