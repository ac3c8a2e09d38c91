<?php

declare(strict_types=1);

namespace Gangan\Errors;

/** 401: no such key. */
final class AuthenticationError extends GanganError
{
}
