<?php

// Written by `npm run clients` from openapi.json.

declare(strict_types=1);

namespace Gangan\Resources;

use Gangan\Call;
use Gangan\Types;

/**
 * `templates`: what of the service it opens is said at each method.
 *
 * @phpstan-import-type Template from Types
 * @phpstan-import-type TemplatePage from Types
 * @phpstan-import-type TemplatesCreateBody from Types
 * @phpstan-import-type TemplatesUpdateBody from Types
 */
final class Templates
{
    public function __construct(private readonly Call $call)
    {
    }

    /**
     * Create a template. A reusable text, sent with `template_id` in `POST /sms/send`. Placeholders in double braces are filled per recipient from `personalisation`, or from the columns of the contact list when it is sent to a smartlist.
     *
     * @param TemplatesCreateBody $body
     * @return Template
     */
    public function create(array $body): array
    {
        return $this->call->request('POST', '/templates', body: $body);
    }

    /**
     * List templates. Newest first, each in its newest version.
     *
     * @param array{limit?: int, page?: int, query_id?: string} $query
     * @return TemplatePage
     */
    public function list(array $query = []): array
    {
        return $this->call->request('GET', '/templates', query: $query);
    }

    /**
     * Read a template. In its newest version, or in an older one.
     *
     * @param array{version?: int} $query
     * @return Template
     */
    public function get(string $id, array $query = []): array
    {
        return $this->call->request('GET', '/templates/' . rawurlencode($id), query: $query);
    }

    /**
     * Change a template. Every change creates a new version. Sent messages keep theirs.
     *
     * @param TemplatesUpdateBody $body
     * @return Template
     */
    public function update(string $id, array $body = []): array
    {
        return $this->call->request('PATCH', '/templates/' . rawurlencode($id), body: $body);
    }

    /**
     * Delete a template. With all its versions. Sent messages keep their text.
     *
     */
    public function delete(string $id): void
    {
        $this->call->request('DELETE', '/templates/' . rawurlencode($id));
    }

    /**
     * All entries of `list`, page after page.
     *
     * @param array{limit?: int, page?: int, query_id?: string} $query
     * @return \Generator<int, Template>
     */
    public function each(array $query = []): \Generator
    {
        return $this->call->each('templates', 'GET', '/templates', query: $query);
    }
}
