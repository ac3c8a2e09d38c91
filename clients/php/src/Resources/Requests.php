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
     * List requests. Requests made with your keys in the last days, newest first, visible a second or two after their answer. Of more than twenty requests in a second, failures are kept first and a sample of the others: `shown` and `seen` count them. A crash of the service loses the last second of the log.
     *
     * @param array{limit?: int, query_id?: string, status?: string, path?: string, key_id?: string, request_id?: string, from?: string, until?: string} $query
     * @return RequestPage
     */
    public function list(array $query = []): array
    {
        return $this->call->request('GET', '/requests', query: $query);
    }

    /**
     * Read a request. With the bodies of request and answer, each cut at 4,096 characters. One-time passwords, keys, passwords and other secrets are masked, and headers are not stored.
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
