<?php

// Written by `npm run clients` from openapi.json.

declare(strict_types=1);

namespace Gangan\Resources;

use Gangan\Call;
use Gangan\Types;

/**
 * `smpp.accounts`: what of the service it opens is said at each method.
 *
 * @phpstan-import-type SmppAccountWithPasswordAnswer from Types
 * @phpstan-import-type SmppAccountsAnswer from Types
 * @phpstan-import-type SmppAccountsCreateBody from Types
 */
final class SmppAccounts
{
    public function __construct(private readonly Call $call)
    {
    }

    /**
     * List SMPP accounts. With active binds, and the messages pending for a receiver.
     *
     * @return SmppAccountsAnswer
     */
    public function list(): array
    {
        return $this->call->request('GET', '/smpp/accounts');
    }

    /**
     * Create an SMPP account. For software that speaks SMPP 3.4: it binds to the operator’s SMPP port with `system_id` and the password of this answer, which is returned only once. Its messages are sent and charged like those of `POST /sms/send`. The operator may allow fewer binds, a lower rate and a smaller window than requested.
     *
     * @param SmppAccountsCreateBody $body
     * @return SmppAccountWithPasswordAnswer
     */
    public function create(array $body = []): array
    {
        return $this->call->request('POST', '/smpp/accounts', body: $body);
    }

    /**
     * Delete an SMPP account. Its binds are closed within a second, and pending messages for it are dropped.
     *
     */
    public function delete(string $system_id): void
    {
        $this->call->request('DELETE', '/smpp/accounts/' . rawurlencode($system_id));
    }
}
