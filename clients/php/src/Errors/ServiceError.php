<?php

declare(strict_types=1);

namespace Gangan\Errors;

/** 500 and above: the service failed, also after the last attempt. */
final class ServiceError extends GanganError
{
}
