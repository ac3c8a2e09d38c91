<?php

declare(strict_types=1);

namespace Gangan\Errors;

/** There was no response, also after the last attempt: it is unknown whether the request was carried out. */
final class ConnectionError extends \RuntimeException
{
}
