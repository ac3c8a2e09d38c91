<?php

// Written by `npm run clients` from openapi.json.

declare(strict_types=1);

namespace Gangan\Resources;

use Gangan\Call;
use Gangan\Types;

/**
 * `airtime`: what of the service it opens is said at each method.
 *
 * @phpstan-import-type AirtimeBuyBody from Types
 * @phpstan-import-type BoughtPurchase from Types
 * @phpstan-import-type ListedPurchase from Types
 * @phpstan-import-type PurchasePage from Types
 * @phpstan-import-type ReadPurchase from Types
 */
final class Airtime
{
    public function __construct(private readonly Call $call)
    {
    }

    /**
     * Buy airtime. Charges the amount immediately and answers `pending`; the outcome is posted to your `callback`, or read with `GET /airtime/&#123;id&#125;`. A purchase that ends `failed`, `duplicate` or `error` is refunded, once. The same network, recipient and amount within five minutes ends `duplicate`, unless the requests carry different `Idempotency-Key`s or `external_ref`s; a first purchase that failed does not count. If the vendor does not report a clear outcome, the purchase stays `sent`, and is neither refunded nor bought again, until the vendor or the operator settles it.
     *
     * @param AirtimeBuyBody $body
     * @return BoughtPurchase
     */
    public function buy(array $body, ?string $idempotency_key = null): array
    {
        return $this->call->request('POST', '/airtime/buy', body: $body, keyed: true, idempotency_key: $idempotency_key);
    }

    /**
     * Read a purchase. Its status and charge, and the reason if it was refunded.
     *
     * @return ReadPurchase
     */
    public function get(string $id): array
    {
        return $this->call->request('GET', '/airtime/' . rawurlencode($id));
    }

    /**
     * List purchases. Newest first, all of them or those with your `external_ref`.
     *
     * @param array{limit?: int, page?: int, query_id?: string, external_ref?: string} $query
     * @return PurchasePage
     */
    public function list(array $query = []): array
    {
        return $this->call->request('GET', '/airtime', query: $query);
    }

    /**
     * All entries of `list`, page after page.
     *
     * @param array{limit?: int, page?: int, query_id?: string, external_ref?: string} $query
     * @return \Generator<int, ListedPurchase>
     */
    public function each(array $query = []): \Generator
    {
        return $this->call->each('purchases', 'GET', '/airtime', query: $query);
    }
}
