<?php

declare(strict_types=1);

namespace Gangan\Errors;

/** 429: too many, also after the last try. */
final class TooManyRequestsError extends GanganError
{
}
