<?php

// Written by `npm run clients` from openapi.json.

declare(strict_types=1);

namespace Gangan\Resources;

use Gangan\Call;
use Gangan\Types;

/**
 * `inbound`: what of the service it opens is said at each method.
 *
 * @phpstan-import-type InboundAnswer from Types
 * @phpstan-import-type InboundMessage from Types
 * @phpstan-import-type InboundPage from Types
 */
final class Inbound
{
    public function __construct(private readonly Call $call)
    {
    }

    /**
     * List inbound texts. Newest first: all of them, or those from one number.
     *
     * @param array{limit?: int, page?: int, query_id?: string, from?: string} $query
     * @return InboundPage
     */
    public function list(array $query = []): array
    {
        return $this->call->request('GET', '/inbound', query: $query);
    }

    /**
     * Read an inbound text. With the keyword recognised in it.
     *
     * @return InboundAnswer
     */
    public function get(string $id): array
    {
        return $this->call->request('GET', '/inbound/' . rawurlencode($id));
    }

    /**
     * All entries of `list`, page after page.
     *
     * @param array{limit?: int, page?: int, query_id?: string, from?: string} $query
     * @return \Generator<int, InboundMessage>
     */
    public function each(array $query = []): \Generator
    {
        return $this->call->each('inbound', 'GET', '/inbound', query: $query);
    }
}
