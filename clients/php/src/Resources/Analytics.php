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
     * Read analytics of messages and one-time passwords. For any range of days, in steps of an hour, a day or a month of your time zone, by channel, country, operator, sender, route, error or template, and compared with an earlier range. A message counts in the hour it was accepted, so rates are exact for any range; figures of the last days still change while reports arrive. They come from counters that are written within a second, and stay when messages are deleted or people are erased. A killed process loses at most a second of them; the ledger is exact.
     *
     * @param array{from?: string, until?: string, by?: 'channel'|'country'|'operator'|'sender'|'route'|'error'|'template', value?: string, interval?: 'hour'|'day'|'month', compare?: 'previous_period'|'previous_year'} $query
     * @return AnalyticsAnswer
     */
    public function get(array $query = []): array
    {
        return $this->call->request('GET', '/analytics', query: $query);
    }

    /**
     * Download analytics as CSV. The same figures in UTF-8 with a byte order mark: a line for each value of `by`, or without it for each step; with `compare`, the earlier figures in separate columns.
     *
     * @param array{from?: string, until?: string, by?: 'channel'|'country'|'operator'|'sender'|'route'|'error'|'template', value?: string, interval?: 'hour'|'day'|'month', compare?: 'previous_period'|'previous_year'} $query
     */
    public function export(array $query = []): string
    {
        return $this->call->request('GET', '/analytics.csv', query: $query);
    }
}
