<?php

// Written by `npm run clients` from openapi.json.

declare(strict_types=1);

namespace Gangan\Resources;

use Gangan\Call;
use Gangan\Types;

/**
 * `whatsapp.templates`: what of the service it opens is said at each method.
 *
 * @phpstan-import-type MetaTemplate from Types
 * @phpstan-import-type MetaTemplates from Types
 * @phpstan-import-type WhatsappTemplatesCreateBody from Types
 * @phpstan-import-type WhatsappTemplatesUpdateBody from Types
 */
final class WhatsappTemplates
{
    public function __construct(private readonly Call $call)
    {
    }

    /**
     * Create a WhatsApp template. Submits a template to Meta, which reviews it: minutes, at most a day. It is checked by Meta’s rules first. A template of `/templates` then names it in `whatsapp`.
     *
     * @param WhatsappTemplatesCreateBody $body
     * @return MetaTemplate
     */
    public function create(array $body): array
    {
        return $this->call->request('POST', '/whatsapp/templates', body: $body);
    }

    /**
     * List WhatsApp templates. All templates at Meta that you may send, by name, with status, reason and quality. Meta’s webhooks update them immediately.
     *
     * @return MetaTemplates
     */
    public function list(): array
    {
        return $this->call->request('GET', '/whatsapp/templates');
    }

    /**
     * Read a WhatsApp template. With its status at Meta.
     *
     * @return MetaTemplate
     */
    public function get(string $id): array
    {
        return $this->call->request('GET', '/whatsapp/templates/' . rawurlencode($id));
    }

    /**
     * Change a WhatsApp template. Replaces its components; Meta reviews it again. Meta allows one change of an approved template in 24 hours, and ten in 30 days.
     *
     * @param WhatsappTemplatesUpdateBody $body
     * @return MetaTemplate
     */
    public function update(string $id, array $body): array
    {
        return $this->call->request('PATCH', '/whatsapp/templates/' . rawurlencode($id), body: $body);
    }

    /**
     * Delete a WhatsApp template. At Meta, in this language. Its name cannot be used again for 30 days.
     *
     */
    public function delete(string $id): void
    {
        $this->call->request('DELETE', '/whatsapp/templates/' . rawurlencode($id));
    }
}
