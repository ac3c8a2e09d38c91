<?php

declare(strict_types=1);

namespace Gangan\Errors;

/** 400, 413, 415: `faults` says what to correct. */
final class InvalidRequestError extends GanganError
{
}
