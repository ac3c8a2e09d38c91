<?php

// Written by `npm run clients` from openapi.json.

declare(strict_types=1);

namespace Gangan\Resources;

use Gangan\Call;
use Gangan\Types;

/**
 * `conversations`: what of the service it opens is said at each method.
 *
 * @phpstan-import-type Assignees from Types
 * @phpstan-import-type ConversationPage from Types
 * @phpstan-import-type ConversationsAnswerBody from Types
 * @phpstan-import-type ConversationsAssignBody from Types
 * @phpstan-import-type ConversationsCloseBody from Types
 * @phpstan-import-type ConversationsReadBody from Types
 * @phpstan-import-type ListedConversation from Types
 * @phpstan-import-type SentMessage from Types
 * @phpstan-import-type Thread from Types
 */
final class Conversations
{
    public readonly ConversationsNotes $notes;

    public function __construct(private readonly Call $call)
    {
        $this->notes = new ConversationsNotes($call);
    }

    /**
     * List conversations. One for each number that has texted you, the one with the newest text or reply first. A conversation starts with an inbound text. Other messages to the number, such as campaigns, are part of its thread and do not move it up. The filters can be combined; `unread=true&limit=1` counts the conversations with unread texts.
     *
     * @param array{limit?: int, page?: int, query_id?: string, status?: 'open'|'closed', unread?: bool, assignee_id?: string, q?: string} $query
     * @return ConversationPage
     */
    public function list(array $query = []): array
    {
        return $this->call->request('GET', '/conversations', query: $query);
    }

    /**
     * Read a conversation. All messages in both directions and your notes, newest first, with the status of those you sent, and whether you can reply. The search is limited to half a second; `searched_until` then says how far it came, and `query_id` continues it.
     *
     * @param array{limit?: int, query_id?: string} $query
     * @return Thread
     */
    public function get(string $phone, array $query = []): array
    {
        return $this->call->request('GET', '/conversations/' . rawurlencode($phone), query: $query);
    }

    /**
     * Reply in a conversation. Sends a text on the channel the person last used, from the number or name they wrote to if it may send. Priced, charged and reported like `POST /sms/send`.
     *
     * @param ConversationsAnswerBody $body
     * @return SentMessage
     */
    public function answer(string $phone, array $body = [], ?string $idempotency_key = null): array
    {
        return $this->call->request('POST', '/conversations/' . rawurlencode($phone) . '/messages', body: $body, keyed: true, idempotency_key: $idempotency_key);
    }

    /**
     * Mark a conversation as read. For all users of the organisation. Send `received` as you have read it, so that a text that arrives meanwhile stays unread.
     *
     * @param ConversationsReadBody $body
     */
    public function read(string $phone, array $body = []): void
    {
        $this->call->request('POST', '/conversations/' . rawurlencode($phone) . '/read', body: $body);
    }

    /**
     * List assignees. The active users of your console whose role lets them reply, by name.
     *
     * @return Assignees
     */
    public function assignees(): array
    {
        return $this->call->request('GET', '/conversations/assignees');
    }

    /**
     * Assign a conversation. To a user, or to no one. Send `current_assignee_id` so that of two users who take the same conversation one gets a 409.
     *
     * @param ConversationsAssignBody $body
     */
    public function assign(string $phone, array $body): void
    {
        $this->call->request('POST', '/conversations/' . rawurlencode($phone) . '/assign', body: $body);
    }

    /**
     * Close a conversation. Also marks its texts as read. The next text of the person reopens it. Send `received` as you have read it, so that a text that arrives meanwhile is not closed unread.
     *
     * @param ConversationsCloseBody $body
     */
    public function close(string $phone, array $body = []): void
    {
        $this->call->request('POST', '/conversations/' . rawurlencode($phone) . '/close', body: $body);
    }

    /**
     * Reopen a conversation. An open one stays open.
     *
     */
    public function reopen(string $phone): void
    {
        $this->call->request('POST', '/conversations/' . rawurlencode($phone) . '/reopen');
    }

    /**
     * All entries of `list`, page after page.
     *
     * @param array{limit?: int, page?: int, query_id?: string, status?: 'open'|'closed', unread?: bool, assignee_id?: string, q?: string} $query
     * @return \Generator<int, ListedConversation>
     */
    public function each(array $query = []): \Generator
    {
        return $this->call->each('conversations', 'GET', '/conversations', query: $query);
    }
}
