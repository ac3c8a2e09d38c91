<?php

declare(strict_types=1);

namespace Gangan\Errors;

/** 429: too many requests, also after the last attempt. */
final class TooManyRequestsError extends GanganError
{
}
