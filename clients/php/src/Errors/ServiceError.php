<?php

declare(strict_types=1);

namespace Gangan\Errors;

/** 500 and above: the service could not, also after the last try. */
final class ServiceError extends GanganError
{
}
