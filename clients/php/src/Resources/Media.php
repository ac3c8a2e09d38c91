<?php

// Written by `npm run clients` from openapi.json.

declare(strict_types=1);

namespace Gangan\Resources;

use Gangan\Call;
use Gangan\Types;

/**
 * `media`: what of the service it opens is said at each method.
 *
 * @phpstan-import-type Media from Types
 * @phpstan-import-type MediaPage from Types
 */
final class Media
{
    public function __construct(private readonly Call $call)
    {
    }

    /**
     * Upload a file. A picture, video, recording or document for messages on WhatsApp, which name it by `id`. The body is the file and `Content-Type` its type, which its content must confirm (`application/octet-stream`: the content decides). JPEG and PNG up to 5 MB, MP4 and 3GP up to 16 MB, AAC, AMR, MP3, M4A and Ogg with Opus up to 16 MB, PDF, Office documents and text up to 100 MB, WebP as a sticker up to 100 KB, animated 500 KB.
     *
     * @param array{filename?: string} $query
     * @return Media
     */
    public function upload(string $content, string $content_type = 'application/octet-stream', array $query = []): array
    {
        return $this->call->request('POST', '/media', file: [$content, $content_type], query: $query);
    }

    /**
     * List files. Newest first: those you uploaded, and those that people sent.
     *
     * @param array{limit?: int, page?: int, query_id?: string, direction?: 'in'|'out'} $query
     * @return MediaPage
     */
    public function list(array $query = []): array
    {
        return $this->call->request('GET', '/media', query: $query);
    }

    /**
     * Read what a file is. Type, size, checksum and state.
     *
     * @return Media
     */
    public function get(string $id): array
    {
        return $this->call->request('GET', '/media/' . rawurlencode($id));
    }

    /**
     * Delete a file. Messages that wait to be sent with it are rejected and refunded. Meta deletes its copy within 30 days.
     *
     */
    public function delete(string $id): void
    {
        $this->call->request('DELETE', '/media/' . rawurlencode($id));
    }

    /**
     * Download a file. A received file once it is `stored`.
     *
     */
    public function content(string $id): string
    {
        return $this->call->request('GET', '/media/' . rawurlencode($id) . '/content');
    }

    /**
     * All entries of `list`, page after page.
     *
     * @param array{limit?: int, page?: int, query_id?: string, direction?: 'in'|'out'} $query
     * @return \Generator<int, Media>
     */
    public function each(array $query = []): \Generator
    {
        return $this->call->each('media', 'GET', '/media', query: $query);
    }
}
