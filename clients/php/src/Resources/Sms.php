<?php

// Written by `npm run clients` from openapi.json.

declare(strict_types=1);

namespace Gangan\Resources;

use Gangan\Call;
use Gangan\Types;

/**
 * `sms`: what of the service it opens is said at each method.
 *
 * @phpstan-import-type ListedMessage from Types
 * @phpstan-import-type MessageEstimate from Types
 * @phpstan-import-type MessageWithDeliveries from Types
 * @phpstan-import-type SentMessage from Types
 * @phpstan-import-type SmsListAnswer from Types
 * @phpstan-import-type SmsSendBody from Types
 */
final class Sms
{
    public function __construct(private readonly Call $call)
    {
    }

    /**
     * Send a message. Sends a text to one or several phone numbers. The charge is taken at once and given back for every recipient the message was never carried to. With an `Idempotency-Key` a retry within 24 hours gets the first answer again and is not charged. A `smartlist_id` in place of `recipients` is taken too, and answered as by `POST /lists/contact/sends`.
     *
     * @param SmsSendBody $body
     * @return SentMessage
     */
    public function send(array $body, ?string $idempotency_key = null): array
    {
        return $this->call->request('POST', '/sms/send', body: $body, keyed: true, idempotency_key: $idempotency_key);
    }

    /**
     * See what a message would be and cost. Takes the body of `POST /sms/send` and checks it in the same way, but stores, charges and sends nothing. Tells each text, its encoding and pages, the characters that force UCS-2 and where they are, what the text would cost in GSM, and what smart encoding would make of it. `available_balance` is what would be left, below zero when the balance does not cover the charge.
     *
     * @param SmsSendBody $body
     * @return MessageEstimate
     */
    public function estimate(array $body): array
    {
        return $this->call->request('POST', '/sms/estimate', body: $body);
    }

    /**
     * Read a message and what became of it. With one delivery per recipient, in their order: its status, its price, and what the carrier says. The answer to a message with many recipients is sent while it is read, in chunks and without a `content-length`; its fields may come in another order.
     *
     * @return MessageWithDeliveries
     */
    public function get(string $id): array
    {
        return $this->call->request('GET', '/sms/' . rawurlencode($id));
    }

    /**
     * Take a scheduled message back. Every delivery that still is `scheduled`, for its `send_at` or for quiet hours, becomes `canceled` and is refunded. What has become due meanwhile goes its way; when nothing is left to take back, the answer is 409.
     *
     */
    public function cancel(string $id): void
    {
        $this->call->request('DELETE', '/sms/' . rawurlencode($id));
    }

    /**
     * List messages. Newest first, all of them or those with your `external_ref`.
     *
     * @param array{limit?: int, page?: int, query_id?: string, external_ref?: string} $query
     * @return SmsListAnswer
     */
    public function list(array $query = []): array
    {
        return $this->call->request('GET', '/sms', query: $query);
    }

    /**
     * All entries of `list`, page after page.
     *
     * @param array{limit?: int, page?: int, query_id?: string, external_ref?: string} $query
     * @return \Generator<int, ListedMessage>
     */
    public function each(array $query = []): \Generator
    {
        return $this->call->each('messages', 'GET', '/sms', query: $query);
    }
}
