<?php

declare(strict_types=1);

namespace Gangan\Errors;

/** 403: the key lacks the scope. */
final class PermissionError extends GanganError
{
}
