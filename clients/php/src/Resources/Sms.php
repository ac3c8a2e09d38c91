<?php

// Written by `npm run clients` from openapi.json.

declare(strict_types=1);

namespace Gangan\Resources;

use Gangan\Call;
use Gangan\Types;

/**
 * `sms`: what of the service it opens is said at each method.
 *
 * @phpstan-import-type ExplainedMessageEstimate from Types
 * @phpstan-import-type Explanation from Types
 * @phpstan-import-type ListedMessage from Types
 * @phpstan-import-type MessageWithDeliveries from Types
 * @phpstan-import-type SentMessage from Types
 * @phpstan-import-type SmsEstimateBody from Types
 * @phpstan-import-type SmsListAnswer from Types
 * @phpstan-import-type SmsSendBody from Types
 */
final class Sms
{
    public function __construct(private readonly Call $call)
    {
    }

    /**
     * Send a message. Sends a text to one or several phone numbers. The charge is taken immediately and refunded for every recipient the message was never submitted for. With an `Idempotency-Key` a retry within 24 hours gets the first answer again and is not charged. A `smartlist_id` in place of `recipients` is accepted too, and answered like `POST /lists/contact/sends`.
     *
     * @param SmsSendBody $body
     * @return SentMessage
     */
    public function send(array $body, ?string $idempotency_key = null): array
    {
        return $this->call->request('POST', '/sms/send', body: $body, keyed: true, idempotency_key: $idempotency_key);
    }

    /**
     * Estimate a message. Accepts and validates the body of `POST /sms/send`, but stores, charges and sends nothing. Returns each text, its encoding and pages, the characters that force UCS-2 and their positions, the cost of the text in GSM, and the result of smart encoding. `available_balance` is the balance after the charge; `is_covered` says whether it would be charged. With `explain` the answer says why, as `GET /sms/&#123;id&#125;/explain` does for a message.
     *
     * @param SmsEstimateBody $body
     * @return ExplainedMessageEstimate
     */
    public function estimate(array $body): array
    {
        return $this->call->request('POST', '/sms/estimate', body: $body);
    }

    /**
     * Read a message and its deliveries. With one delivery per recipient, in their order: its status, its price, and the report of the carrier. The answer to a message with many recipients is streamed, in chunks and without a `content-length`; its fields may be in another order.
     *
     * @return MessageWithDeliveries
     */
    public function get(string $id): array
    {
        return $this->call->request('GET', '/sms/' . rawurlencode($id));
    }

    /**
     * Cancel a scheduled message. Every delivery still `scheduled`, for its `send_at` or for quiet hours, becomes `canceled` and is refunded. Deliveries that became due meanwhile are sent; if none is left to cancel, the answer is 409.
     *
     */
    public function cancel(string $id): void
    {
        $this->call->request('DELETE', '/sms/' . rawurlencode($id));
    }

    /**
     * Explain a message. For each recipient, in sentences and as data: the encoding and pages of the text and the characters that forced UCS-2, the price rule and why it applied, the route, its carriers and why one was chosen or skipped, every attempt with the answer of the carrier, and what was refunded and why. It is computed from what is stored; what is not stored is said to be unknown. Names of carriers and price lists are for operators of the installation, in the console.
     *
     * @param array{recipient?: string, limit?: int, page?: int} $query
     * @return Explanation
     */
    public function explain(string $id, array $query = []): array
    {
        return $this->call->request('GET', '/sms/' . rawurlencode($id) . '/explain', query: $query);
    }

    /**
     * List messages. Newest first, all of them or those with your `external_ref` or of a campaign.
     *
     * @param array{limit?: int, page?: int, query_id?: string, external_ref?: string, campaign_id?: string} $query
     * @return SmsListAnswer
     */
    public function list(array $query = []): array
    {
        return $this->call->request('GET', '/sms', query: $query);
    }

    /**
     * All entries of `list`, page after page.
     *
     * @param array{limit?: int, page?: int, query_id?: string, external_ref?: string, campaign_id?: string} $query
     * @return \Generator<int, ListedMessage>
     */
    public function each(array $query = []): \Generator
    {
        return $this->call->each('messages', 'GET', '/sms', query: $query);
    }
}
