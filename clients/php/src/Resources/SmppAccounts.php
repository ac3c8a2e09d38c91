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
     * List SMPP accounts. With the binds that are up, and what waits for a receiver.
     *
     * @return SmppAccountsAnswer
     */
    public function list(): array
    {
        return $this->call->request('GET', '/smpp/accounts');
    }

    /**
     * Make an SMPP account. For software that speaks SMPP 3.4: it binds to the port the operator has opened, under `system_id` and with the password of this answer, which is shown this once. Its messages are sent and charged as those of `POST /sms/send` are. The operator may allow fewer binds, a lower rate and a smaller window than it asks for.
     *
     * @param SmppAccountsCreateBody $body
     * @return SmppAccountWithPasswordAnswer
     */
    public function create(array $body = []): array
    {
        return $this->call->request('POST', '/smpp/accounts', body: $body);
    }

    /**
     * Delete an SMPP account. Its binds are closed within a second, and what waits for it is dropped.
     *
     */
    public function delete(string $system_id): void
    {
        $this->call->request('DELETE', '/smpp/accounts/' . rawurlencode($system_id));
    }
}
