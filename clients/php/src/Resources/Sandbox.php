<?php

// Written by `npm run clients` from openapi.json.

declare(strict_types=1);

namespace Gangan\Resources;

use Gangan\Call;
use Gangan\Types;

/**
 * `sandbox`: what of the service it opens is said at each method.
 *
 * @phpstan-import-type InboundAnswer from Types
 * @phpstan-import-type SandboxMessage from Types
 * @phpstan-import-type SandboxPage from Types
 * @phpstan-import-type SandboxReplyBody from Types
 */
final class Sandbox
{
    public function __construct(private readonly Call $call)
    {
    }

    /**
     * List messages on virtual handsets. In sandbox mode, or with a test key. One-time passwords are in clear text, as on a phone.
     *
     * @param array{limit?: int, page?: int, query_id?: string, recipient?: string} $query
     * @return SandboxPage
     */
    public function messages(array $query = []): array
    {
        return $this->call->request('GET', '/sandbox/messages', query: $query);
    }

    /**
     * Reply from a virtual handset. In sandbox mode, or with a test key. The text is processed like one from a real handset: stored, posted to your inbound URL, and STOP blocks the number. Real handsets cannot reply to a name such as `Gangan`; these can.
     *
     * @param SandboxReplyBody $body
     * @return InboundAnswer
     */
    public function reply(array $body): array
    {
        return $this->call->request('POST', '/sandbox/reply', body: $body);
    }

    /**
     * All entries of `messages`, page after page.
     *
     * @param array{limit?: int, page?: int, query_id?: string, recipient?: string} $query
     * @return \Generator<int, SandboxMessage>
     */
    public function each(array $query = []): \Generator
    {
        return $this->call->each('messages', 'GET', '/sandbox/messages', query: $query);
    }
}
