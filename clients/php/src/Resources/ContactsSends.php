<?php

// Written by `npm run clients` from openapi.json.

declare(strict_types=1);

namespace Gangan\Resources;

use Gangan\Call;
use Gangan\Types;

/**
 * `contacts.sends`: what of the service it opens is said at each method.
 *
 * @phpstan-import-type ContactsSendsCreateBody from Types
 * @phpstan-import-type ListSend from Types
 */
final class ContactsSends
{
    public function __construct(private readonly Call $call)
    {
    }

    /**
     * Send a message to a smartlist. Answers immediately; a job sends and charges in chunks, to each number once. `&#123;&#123;Name&#125;&#125;` in the content or template is filled from the column of that name. With an `Idempotency-Key` a retry within 24 hours is sent once.
     *
     * @param ContactsSendsCreateBody $body
     * @return ListSend
     */
    public function create(array $body, ?string $idempotency_key = null): array
    {
        return $this->call->request('POST', '/lists/contact/sends', body: $body, keyed: true, idempotency_key: $idempotency_key);
    }

    /**
     * Read the progress of a message to a smartlist. Rows scanned, recipients accepted, and the charge so far.
     *
     * @return ListSend
     */
    public function get(string $id): array
    {
        return $this->call->request('GET', '/lists/contact/sends/' . rawurlencode($id));
    }

    /**
     * Cancel a message to a smartlist. Messages not yet submitted to a carrier are canceled and refunded; submitted ones are not.
     *
     */
    public function cancel(string $id): void
    {
        $this->call->request('DELETE', '/lists/contact/sends/' . rawurlencode($id));
    }
}
