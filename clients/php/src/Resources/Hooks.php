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
     * List hooks. Secrets are not returned.
     *
     * @return HooksAnswer
     */
    public function list(): array
    {
        return $this->call->request('GET', '/hooks');
    }

    /**
     * Create a hook. For identity servers and others that post messages in a format of their own: `POST /hooks/&#123;name&#125;` accepts their requests, signed or authenticated with the secret of this answer, which is returned only once. One-time passwords have the priority, limits and guard of our own; the other side verifies them, and `POST /hooks/&#123;name&#125;/verified` with `&#123;"to": …&#125;` reports a success to the guard.
     *
     * @param HooksCreateBody $body
     * @return HookWithSecretAnswer
     */
    public function create(array $body): array
    {
        return $this->call->request('POST', '/hooks', body: $body);
    }

    /**
     * Delete a hook. Later requests to it are rejected.
     *
     */
    public function delete(string $name): void
    {
        $this->call->request('DELETE', '/hooks/' . rawurlencode($name));
    }
}
