<?php

declare(strict_types=1);

namespace Gangan\Errors;

/** 401: the key is invalid. */
final class AuthenticationError extends GanganError
{
}
