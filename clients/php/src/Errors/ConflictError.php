<?php

declare(strict_types=1);

namespace Gangan\Errors;

/** 409: the Idempotency-Key was used for another request, or it is too late. */
final class ConflictError extends GanganError
{
}
