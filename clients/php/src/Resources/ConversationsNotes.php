<?php

// Written by `npm run clients` from openapi.json.

declare(strict_types=1);

namespace Gangan\Resources;

use Gangan\Call;
use Gangan\Types;

/**
 * `conversations.notes`: what of the service it opens is said at each method.
 *
 * @phpstan-import-type ConversationMessage from Types
 * @phpstan-import-type ConversationsNotesCreateBody from Types
 */
final class ConversationsNotes
{
    public function __construct(private readonly Call $call)
    {
    }

    /**
     * Add a note to a conversation. Only your users see it, in the thread. It is not sent, and does not move the conversation up.
     *
     * @param ConversationsNotesCreateBody $body
     * @return ConversationMessage
     */
    public function create(string $phone, array $body): array
    {
        return $this->call->request('POST', '/conversations/' . rawurlencode($phone) . '/notes', body: $body);
    }

    /**
     * Delete a note. By its id in the thread.
     *
     */
    public function delete(string $note_id): void
    {
        $this->call->request('DELETE', '/notes/' . rawurlencode($note_id));
    }
}
