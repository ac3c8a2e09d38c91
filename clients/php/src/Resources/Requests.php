<?php

// Written by `npm run clients` from openapi.json.

declare(strict_types=1);

namespace Gangan\Resources;

use Gangan\Call;
use Gangan\Types;

/**
 * `requests`: what of the service it opens is said at each method.
 *
 * @phpstan-import-type LoggedRequest from Types
 * @phpstan-import-type RequestAnswer from Types
 * @phpstan-import-type RequestPage from Types
 */
final class Requests
{
    public function __construct(private readonly Call $call)
    {
    }

    /**
     * List your calls. What was called with your keys in the last days, newest first, a second or two after it was answered. Of more than twenty calls in a second failures are kept first, and a sample of the others: `shown` and `seen` say so. It is a log and no proof: a crash of the service loses its last second.
     *
     * @param array{limit?: int, query_id?: string, status?: string, path?: string, key_id?: string, request_id?: string, from?: string, until?: string} $query
     * @return RequestPage
     */
    public function list(array $query = []): array
    {
        return $this->call->request('GET', '/requests', query: $query);
    }

    /**
     * Read a call. With what was sent and answered, each cut at 4,096 characters. One-time passwords, keys, passwords and other secrets are masked, and no headers are kept.
     *
     * @return RequestAnswer
     */
    public function get(string $request_id): array
    {
        return $this->call->request('GET', '/requests/' . rawurlencode($request_id));
    }

    /**
     * All entries of `list`, page after page.
     *
     * @param array{limit?: int, query_id?: string, status?: string, path?: string, key_id?: string, request_id?: string, from?: string, until?: string} $query
     * @return \Generator<int, LoggedRequest>
     */
    public function each(array $query = []): \Generator
    {
        return $this->call->each('requests', 'GET', '/requests', query: $query);
    }
}
