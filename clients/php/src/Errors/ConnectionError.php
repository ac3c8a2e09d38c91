<?php

declare(strict_types=1);

namespace Gangan\Errors;

/** No answer came, also after the last try: whether the request was carried out is not known. */
final class ConnectionError extends \RuntimeException
{
}
