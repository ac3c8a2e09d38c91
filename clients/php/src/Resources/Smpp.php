<?php

// Written by `npm run clients` from openapi.json.

declare(strict_types=1);

namespace Gangan\Resources;

use Gangan\Call;
use Gangan\Types;

/**
 * `smpp`: what of the service it opens is said at each method.
 *
 */
final class Smpp
{
    public readonly SmppAccounts $accounts;

    public function __construct(private readonly Call $call)
    {
        $this->accounts = new SmppAccounts($call);
    }

}
