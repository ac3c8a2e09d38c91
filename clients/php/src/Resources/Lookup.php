<?php

// Written by `npm run clients` from openapi.json.

declare(strict_types=1);

namespace Gangan\Resources;

use Gangan\Call;
use Gangan\Types;

/**
 * `lookup`: what of the service it opens is said at each method.
 *
 * @phpstan-import-type LookupAnswer from Types
 * @phpstan-import-type LookupPhoneBody from Types
 * @phpstan-import-type LookupPhonesBody from Types
 * @phpstan-import-type LookupsAnswer from Types
 */
final class Lookup
{
    public function __construct(private readonly Call $call)
    {
    }

    /**
     * Look up a phone number by POST. The same, and with an `Idempotency-Key` a retry is charged once.
     *
     * @param LookupPhoneBody $body
     * @return LookupAnswer
     */
    public function phone(array $body, ?string $idempotency_key = null): array
    {
        return $this->call->request('POST', '/lookup/phone', body: $body, keyed: true, idempotency_key: $idempotency_key);
    }

    /**
     * Look up many phone numbers. One answer per number, in the given order. An invalid number rejects the request, unless `skip_invalid` is set.
     *
     * @param LookupPhonesBody $body
     * @return LookupsAnswer
     */
    public function phones(array $body, ?string $idempotency_key = null): array
    {
        return $this->call->request('POST', '/lookup/phones', body: $body, keyed: true, idempotency_key: $idempotency_key);
    }
}
