<?php

declare(strict_types=1);

namespace Gangan\Errors;

/** 402: the balance does not cover the charge. */
final class InsufficientBalanceError extends GanganError
{
}
