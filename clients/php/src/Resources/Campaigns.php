<?php

// Written by `npm run clients` from openapi.json.

declare(strict_types=1);

namespace Gangan\Resources;

use Gangan\Call;
use Gangan\Types;

/**
 * `campaigns`: what of the service it opens is said at each method.
 *
 * @phpstan-import-type Campaign from Types
 * @phpstan-import-type CampaignAnswer from Types
 * @phpstan-import-type CampaignPage from Types
 * @phpstan-import-type CampaignRecipientPage from Types
 * @phpstan-import-type CampaignReportAnswer from Types
 * @phpstan-import-type CampaignWithOutcomesAnswer from Types
 * @phpstan-import-type CampaignsAddRecipientsBody from Types
 * @phpstan-import-type CampaignsCreateBody from Types
 * @phpstan-import-type CampaignsStartBody from Types
 * @phpstan-import-type CampaignsTestBody from Types
 * @phpstan-import-type CampaignsUpdateBody from Types
 * @phpstan-import-type SentMessage from Types
 */
final class Campaigns
{
    public function __construct(private readonly Call $call)
    {
    }

    /**
     * Create a campaign. A message to many people, with a life cycle: `draft` → `estimated` → `scheduled` → `running` → `paused` → `finished` or `canceled`. This stores a draft: nothing is sent or charged before it is estimated and started. With `smartlist_id` the key also needs the scope `lists`.
     *
     * @param CampaignsCreateBody $body
     * @return CampaignAnswer
     */
    public function create(array $body = [], ?string $idempotency_key = null): array
    {
        return $this->call->request('POST', '/campaigns', body: $body, keyed: true, idempotency_key: $idempotency_key);
    }

    /**
     * List campaigns. Newest first, optionally of one `status`.
     *
     * @param array{limit?: int, page?: int, query_id?: string, status?: 'draft'|'estimating'|'estimated'|'scheduled'|'running'|'paused'|'finished'|'canceled'} $query
     * @return CampaignPage
     */
    public function list(array $query = []): array
    {
        return $this->call->request('GET', '/campaigns', query: $query);
    }

    /**
     * Read a campaign and its progress. With its estimate, its progress and its outcomes so far, from counters.
     *
     * @return CampaignWithOutcomesAnswer
     */
    public function get(string $id): array
    {
        return $this->call->request('GET', '/campaigns/' . rawurlencode($id));
    }

    /**
     * Change a campaign that has not started. Fields that are left out stay; null removes a value. A previous estimate becomes invalid.
     *
     * @param CampaignsUpdateBody $body
     * @return CampaignAnswer
     */
    public function update(string $id, array $body = []): array
    {
        return $this->call->request('PATCH', '/campaigns/' . rawurlencode($id), body: $body);
    }

    /**
     * Upload people to a campaign. Adds people to those already uploaded: up to 10,000 as JSON, or up to 8 MiB of CSV (as `csv`, or as the body with content type `text/csv`), in any number of requests. With an `Idempotency-Key` a retry adds nothing. Invalid numbers are accepted: the estimate reports who is left out and why. A number receives the message once, however often it is uploaded.
     *
     * @param CampaignsAddRecipientsBody $body
     * @return CampaignAnswer
     */
    public function addRecipients(string $id, array $body = [], ?string $idempotency_key = null): array
    {
        return $this->call->request('POST', '/campaigns/' . rawurlencode($id) . '/recipients', body: $body, keyed: true, idempotency_key: $idempotency_key);
    }

    /**
     * Remove all uploaded people from a campaign. To upload another list afterwards. Only while the campaign is a draft or estimated.
     *
     */
    public function clearRecipients(string $id): void
    {
        $this->call->request('DELETE', '/campaigns/' . rawurlencode($id) . '/recipients');
    }

    /**
     * List some recipients of a campaign. Those that were uploaded, left out by the estimate, or not reached. Not counted: `GET /campaigns/&#123;id&#125;` and its report have the totals. A page may be short, and is continued with `query_id`.
     *
     * @param array{limit?: int, query_id?: string, outcome?: 'uploaded'|'left_out'|'failed', reason?: 'opted_out'|'dnd'|'no_number'|'bad_number'|'twice'|'incomplete'|'too_long'|'no_route'|'no_window'|'blocked'} $query
     * @return CampaignRecipientPage
     */
    public function listRecipients(string $id, array $query = []): array
    {
        return $this->call->request('GET', '/campaigns/' . rawurlencode($id) . '/recipients', query: $query);
    }

    /**
     * Estimate a campaign. Composes every text, counts its pages and price, and reports who is left out and why. Answers immediately; read the campaign until it is `estimated`. The estimate fixes the recipients. A second request restarts it.
     *
     * @return CampaignAnswer
     */
    public function estimate(string $id): array
    {
        return $this->call->request('POST', '/campaigns/' . rawurlencode($id) . '/estimate');
    }

    /**
     * Send a test of a campaign. To at most 5 numbers, with the values of the first person of the list. Charged as any message is.
     *
     * @param CampaignsTestBody $body
     * @return SentMessage
     */
    public function test(string $id, array $body, ?string $idempotency_key = null): array
    {
        return $this->call->request('POST', '/campaigns/' . rawurlencode($id) . '/test', body: $body, keyed: true, idempotency_key: $idempotency_key);
    }

    /**
     * Start a campaign. Immediately, or at its `send_at`. Send the figures of the estimate: 409 if they are not those of the last estimate, 402 if the balance does not cover them. Slices are charged as they are sent; if the balance runs out, the campaign is paused with the reason `insufficient_balance`.
     *
     * @param CampaignsStartBody $body
     * @return CampaignAnswer
     */
    public function start(string $id, array $body): array
    {
        return $this->call->request('POST', '/campaigns/' . rawurlencode($id) . '/start', body: $body);
    }

    /**
     * Pause a campaign. No further slice is charged. The few thousand messages accepted before are still sent.
     *
     * @return CampaignAnswer
     */
    public function pause(string $id): array
    {
        return $this->call->request('POST', '/campaigns/' . rawurlencode($id) . '/pause');
    }

    /**
     * Resume a paused campaign. A campaign paused because it would cost more than confirmed continues at the new price.
     *
     * @return CampaignAnswer
     */
    public function resume(string $id): array
    {
        return $this->call->request('POST', '/campaigns/' . rawurlencode($id) . '/resume');
    }

    /**
     * Cancel a campaign. Messages not yet submitted to a carrier are canceled and refunded within moments; submitted ones are not.
     *
     * @return CampaignAnswer
     */
    public function cancel(string $id): array
    {
        return $this->call->request('POST', '/campaigns/' . rawurlencode($id) . '/cancel');
    }

    /**
     * Duplicate a campaign. Creates a draft with its content, settings and recipients, without its start time. With an `Idempotency-Key` a retry returns the same draft.
     *
     * @return CampaignAnswer
     */
    public function copy(string $id, ?string $idempotency_key = null): array
    {
        return $this->call->request('POST', '/campaigns/' . rawurlencode($id) . '/copy', keyed: true, idempotency_key: $idempotency_key);
    }

    /**
     * Prepare a campaign for the recipients that were not reached. Creates a draft with the same content for the recipients whose delivery failed, to be estimated and started like any other. A repeated request returns the same draft until that is canceled, so that no recipient gets it twice. Recipients whose outcome is `unknown` may have received the message and are not included. 409 while the campaign is running, or if no delivery failed.
     *
     * @return CampaignAnswer
     */
    public function resend(string $id): array
    {
        return $this->call->request('POST', '/campaigns/' . rawurlencode($id) . '/resend');
    }

    /**
     * Read the report of a campaign. Deliveries, failures by reason and operator, clicks, replies, opt-outs and cost, over time, and the best of several texts.
     *
     * @return CampaignReportAnswer
     */
    public function report(string $id): array
    {
        return $this->call->request('GET', '/campaigns/' . rawurlencode($id) . '/report');
    }

    /**
     * Download the recipients of a campaign as CSV. What each person received, and who was left out and why; or only some of them.
     *
     * @param array{outcome?: 'left_out'|'failed'} $query
     */
    public function exportReport(string $id, array $query = []): string
    {
        return $this->call->request('GET', '/campaigns/' . rawurlencode($id) . '/report.csv', query: $query);
    }

    /**
     * All entries of `list`, page after page.
     *
     * @param array{limit?: int, page?: int, query_id?: string, status?: 'draft'|'estimating'|'estimated'|'scheduled'|'running'|'paused'|'finished'|'canceled'} $query
     * @return \Generator<int, Campaign>
     */
    public function each(array $query = []): \Generator
    {
        return $this->call->each('campaigns', 'GET', '/campaigns', query: $query);
    }
}
