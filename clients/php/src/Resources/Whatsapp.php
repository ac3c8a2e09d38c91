<?php

// Written by `npm run clients` from openapi.json.

declare(strict_types=1);

namespace Gangan\Resources;

use Gangan\Call;
use Gangan\Types;

/**
 * `whatsapp`: what of the service it opens is said at each method.
 *
 */
final class Whatsapp
{
    public readonly WhatsappTemplates $templates;

    public function __construct(private readonly Call $call)
    {
        $this->templates = new WhatsappTemplates($call);
    }

}
