<?php

// Written by `npm run clients` from openapi.json.

declare(strict_types=1);

namespace Gangan\Resources;

use Gangan\Call;
use Gangan\Types;

/**
 * `otp.guard`: what of the service it opens is said at each method.
 *
 * @phpstan-import-type GuardPage from Types
 * @phpstan-import-type GuardedPrefix from Types
 */
final class OtpGuard
{
    public function __construct(private readonly Call $call)
    {
    }

    /**
     * List guarded prefixes. Number prefixes (a number without its last four digits) whose tokens are requested but rarely verified. A slowed prefix accepts a request now and then, a blocked one none until its block ends.
     *
     * @param array{limit?: int, page?: int, query_id?: string} $query
     * @return GuardPage
     */
    public function list(array $query = []): array
    {
        return $this->call->request('GET', '/otp/guard', query: $query);
    }

    /**
     * Remove the guard of a prefix. Resets its counters.
     *
     */
    public function lift(string $prefix): void
    {
        $this->call->request('DELETE', '/otp/guard/' . rawurlencode($prefix));
    }

    /**
     * All entries of `list`, page after page.
     *
     * @param array{limit?: int, page?: int, query_id?: string} $query
     * @return \Generator<int, GuardedPrefix>
     */
    public function each(array $query = []): \Generator
    {
        return $this->call->each('prefixes', 'GET', '/otp/guard', query: $query);
    }
}
