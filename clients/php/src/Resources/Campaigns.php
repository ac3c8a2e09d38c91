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
     * Make a campaign. A message to many people, with a life of its own: `draft` → `estimated` → `scheduled` → `running` → `paused` → `finished` or `canceled`. This keeps a draft: nothing is sent or charged before it is estimated and started. With `smartlist_id` the key needs the scope `lists` as well.
     *
     * @param CampaignsCreateBody $body
     * @return CampaignAnswer
     */
    public function create(array $body = [], ?string $idempotency_key = null): array
    {
        return $this->call->request('POST', '/campaigns', body: $body, keyed: true, idempotency_key: $idempotency_key);
    }

    /**
     * List campaigns. Newest first; `status` names one state.
     *
     * @param array{limit?: int, page?: int, query_id?: string, status?: 'draft'|'estimating'|'estimated'|'scheduled'|'running'|'paused'|'finished'|'canceled'} $query
     * @return CampaignPage
     */
    public function list(array $query = []): array
    {
        return $this->call->request('GET', '/campaigns', query: $query);
    }

    /**
     * Read a campaign and how far it is. With its estimate, its progress and what became of it so far, from counters.
     *
     * @return CampaignWithOutcomesAnswer
     */
    public function get(string $id): array
    {
        return $this->call->request('GET', '/campaigns/' . rawurlencode($id));
    }

    /**
     * Change a campaign that has not begun. Fields left out stay; null takes a value away. An estimate that it had counts no more.
     *
     * @param CampaignsUpdateBody $body
     * @return CampaignAnswer
     */
    public function update(string $id, array $body = []): array
    {
        return $this->call->request('PATCH', '/campaigns/' . rawurlencode($id), body: $body);
    }

    /**
     * Upload people to a campaign. Adds people behind those that are there: up to 10,000 as JSON, or up to 8 MiB of CSV (as `csv`, or as the body with content type `text/csv`), as often as needed. With an `Idempotency-Key` a retry adds nothing. Bad numbers are taken: the estimate tells who is left out and why, and a number gets the message once however often it is uploaded.
     *
     * @param CampaignsAddRecipientsBody $body
     * @return CampaignAnswer
     */
    public function addRecipients(string $id, array $body = [], ?string $idempotency_key = null): array
    {
        return $this->call->request('POST', '/campaigns/' . rawurlencode($id) . '/recipients', body: $body, keyed: true, idempotency_key: $idempotency_key);
    }

    /**
     * Take all uploaded people off a campaign. For a list that was wrong: upload another one afterwards. Only while it is a draft or estimated.
     *
     */
    public function clearRecipients(string $id): void
    {
        $this->call->request('DELETE', '/campaigns/' . rawurlencode($id) . '/recipients');
    }

    /**
     * Work out what a campaign would be and cost. Composes every text and counts its pages and price, and tells who is left out and why. The answer comes at once; read the campaign until it is `estimated`. Who will get it is fixed by this. Asked again, it begins anew.
     *
     * @return CampaignAnswer
     */
    public function estimate(string $id): array
    {
        return $this->call->request('POST', '/campaigns/' . rawurlencode($id) . '/estimate');
    }

    /**
     * Send a campaign’s text to yourself. To at most 5 numbers, with the values of the first person of the list. Charged as any message is.
     *
     * @param CampaignsTestBody $body
     * @return SentMessage
     */
    public function test(string $id, array $body, ?string $idempotency_key = null): array
    {
        return $this->call->request('POST', '/campaigns/' . rawurlencode($id) . '/test', body: $body, keyed: true, idempotency_key: $idempotency_key);
    }

    /**
     * Start a campaign. At once, or at its `send_at`. Give the estimate’s figures back: 409 if they are not what was worked out last, 402 if the balance does not cover them. Slices are charged as they go; should the balance run out midway, the campaign is paused with the reason `insufficient_balance`.
     *
     * @param CampaignsStartBody $body
     * @return CampaignAnswer
     */
    public function start(string $id, array $body): array
    {
        return $this->call->request('POST', '/campaigns/' . rawurlencode($id) . '/start', body: $body);
    }

    /**
     * Pause a campaign. No further slice is charged. The few thousand that were accepted before go out.
     *
     * @return CampaignAnswer
     */
    public function pause(string $id): array
    {
        return $this->call->request('POST', '/campaigns/' . rawurlencode($id) . '/pause');
    }

    /**
     * Go on with a paused campaign. One that was paused because it would cost more than was confirmed goes on at the new price.
     *
     * @return CampaignAnswer
     */
    public function resume(string $id): array
    {
        return $this->call->request('POST', '/campaigns/' . rawurlencode($id) . '/resume');
    }

    /**
     * Cancel a campaign. What was charged and not handed over is taken back and refunded within moments; what a carrier has stays with it.
     *
     * @return CampaignAnswer
     */
    public function cancel(string $id): array
    {
        return $this->call->request('POST', '/campaigns/' . rawurlencode($id) . '/cancel');
    }

    /**
     * See what became of a campaign. Delivered, failed by reason and operator, clicks, replies, opt-outs and cost, over time, and which of several texts did best.
     *
     * @return CampaignReportAnswer
     */
    public function report(string $id): array
    {
        return $this->call->request('GET', '/campaigns/' . rawurlencode($id) . '/report');
    }

    /**
     * Download everybody of a campaign as CSV. What each person got, and who was left out and why.
     *
     */
    public function exportReport(string $id): string
    {
        return $this->call->request('GET', '/campaigns/' . rawurlencode($id) . '/report.csv');
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
