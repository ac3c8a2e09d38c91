<?php

// Written by `npm run clients` from openapi.json.

declare(strict_types=1);

namespace Gangan\Resources;

use Gangan\Call;
use Gangan\Types;

/**
 * `analytics`: what of the service it opens is said at each method.
 *
 * @phpstan-import-type AnalyticsAnswer from Types
 */
final class Analytics
{
    public function __construct(private readonly Call $call)
    {
    }

    /**
     * See what became of messages and one-time passwords. Of any stretch of days, in steps of an hour, a day or a month of your time zone, by channel, country, operator, sender, route, error or template, and compared with a stretch before. A message is counted in the hour it was accepted, whatever becomes of it later, so rates are true for any stretch; figures of the last days still move while reports come in. They come from counters that are written within a second, and stay when messages are deleted or people are erased. A process that is killed loses a second of them at most: what you pay is told by the ledger.
     *
     * @param array{from?: string, until?: string, by?: 'channel'|'country'|'operator'|'sender'|'route'|'error'|'template', value?: string, interval?: 'hour'|'day'|'month', compare?: 'previous_period'|'previous_year'} $query
     * @return AnalyticsAnswer
     */
    public function get(array $query = []): array
    {
        return $this->call->request('GET', '/analytics', query: $query);
    }

    /**
     * Download analytics as CSV. The same figures, in UTF-8 with a byte order mark: a line for each value of `by`, or without it for each step; with `compare` the figures before in columns of their own.
     *
     * @param array{from?: string, until?: string, by?: 'channel'|'country'|'operator'|'sender'|'route'|'error'|'template', value?: string, interval?: 'hour'|'day'|'month', compare?: 'previous_period'|'previous_year'} $query
     */
    public function export(array $query = []): string
    {
        return $this->call->request('GET', '/analytics.csv', query: $query);
    }
}
