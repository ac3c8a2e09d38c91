<?php

// Written by `npm run clients` from openapi.json.

declare(strict_types=1);

namespace Gangan\Resources;

use Gangan\Call;
use Gangan\Types;

/**
 * `hooks`: what of the service it opens is said at each method.
 *
 * @phpstan-import-type HookWithSecretAnswer from Types
 * @phpstan-import-type HooksAnswer from Types
 * @phpstan-import-type HooksCreateBody from Types
 */
final class Hooks
{
    public function __construct(private readonly Call $call)
    {
    }

    /**
     * List hooks. With what each is for. Secrets are not shown.
     *
     * @return HooksAnswer
     */
    public function list(): array
    {
        return $this->call->request('GET', '/hooks');
    }

    /**
     * Make a hook. For identity servers and others that hand over what is to be sent in a form of their own: `POST /hooks/&#123;name&#125;` takes their requests, signed or authenticated with the secret of this answer, which is shown this once. One-time passwords go with the priority, the limits and the guard of ours; verifying them stays with the other side, and `POST /hooks/&#123;name&#125;/verified` with `&#123;"to": …&#125;` tells the guard of a success.
     *
     * @param HooksCreateBody $body
     * @return HookWithSecretAnswer
     */
    public function create(array $body): array
    {
        return $this->call->request('POST', '/hooks', body: $body);
    }

    /**
     * Delete a hook. What it asks for afterwards is refused.
     *
     */
    public function delete(string $name): void
    {
        $this->call->request('DELETE', '/hooks/' . rawurlencode($name));
    }
}
