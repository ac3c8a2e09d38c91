<?php

// Written by `npm run clients` from openapi.json.

declare(strict_types=1);

namespace Gangan\Resources;

use Gangan\Call;
use Gangan\Types;

/**
 * `conversations`: what of the service it opens is said at each method.
 *
 * @phpstan-import-type ConversationPage from Types
 * @phpstan-import-type ConversationsAnswerBody from Types
 * @phpstan-import-type ConversationsReadBody from Types
 * @phpstan-import-type ListedConversation from Types
 * @phpstan-import-type SentMessage from Types
 * @phpstan-import-type Thread from Types
 */
final class Conversations
{
    public function __construct(private readonly Call $call)
    {
    }

    /**
     * List conversations. One for each number that has written to you, the one with the newest text or answer first. A conversation begins with a text of theirs. What you send to the number otherwise, such as a campaign, is in its thread and does not move it up.
     *
     * @param array{limit?: int, page?: int, query_id?: string} $query
     * @return ConversationPage
     */
    public function list(array $query = []): array
    {
        return $this->call->request('GET', '/conversations', query: $query);
    }

    /**
     * Read a conversation. Everything that went to and fro, newest first, with the state of what you sent, and what holds for an answer. Of very many messages only as many are looked through as half a second allows; then `searched_until` says how far, and `query_id` goes on.
     *
     * @param array{limit?: int, query_id?: string} $query
     * @return Thread
     */
    public function get(string $phone, array $query = []): array
    {
        return $this->call->request('GET', '/conversations/' . rawurlencode($phone), query: $query);
    }

    /**
     * Answer in a conversation. Sends a text on the channel they last wrote by, from the number or name they wrote to where messages may come from it. Priced, charged and reported as by `POST /sms/send`.
     *
     * @param ConversationsAnswerBody $body
     * @return SentMessage
     */
    public function answer(string $phone, array $body, ?string $idempotency_key = null): array
    {
        return $this->call->request('POST', '/conversations/' . rawurlencode($phone) . '/messages', body: $body, keyed: true, idempotency_key: $idempotency_key);
    }

    /**
     * Mark a conversation as read. For everybody in the organisation. Give `received` as you have read it, so that a text that comes meanwhile stays unread.
     *
     * @param ConversationsReadBody $body
     */
    public function read(string $phone, array $body = []): void
    {
        $this->call->request('POST', '/conversations/' . rawurlencode($phone) . '/read', body: $body);
    }

    /**
     * All entries of `list`, page after page.
     *
     * @param array{limit?: int, page?: int, query_id?: string} $query
     * @return \Generator<int, ListedConversation>
     */
    public function each(array $query = []): \Generator
    {
        return $this->call->each('conversations', 'GET', '/conversations', query: $query);
    }
}
