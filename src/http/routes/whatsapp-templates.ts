import {
  MetaTemplate,
  MetaTemplateBody,
  MetaTemplateChange,
  MetaTemplates,
} from '../../carriers/whatsapp/template-schema.ts'
import { Type } from '../../values/schema/type.ts'
import type { HttpDeps } from '../deps.ts'
import { route, type Route } from '../route/route.ts'

const tag = 'Templates'
const IdParams = Type.Object({
  id: Type.String({ description: 'Meta’s id of the template.', examples: ['1689556908129832'] }),
})

export function whatsappTemplateRoutes({ whatsapp_templates: manager }: HttpDeps): Route[] {
  return [
    route({
      method: 'POST',
      path: '/whatsapp/templates',
      operation: 'whatsapp.templates.create',
      scope: 'sms',
      summary: 'Create a WhatsApp template',
      description:
        'Submits a template to Meta, which reviews it: minutes, at most a day. It is checked by Meta’s rules first. A template of `/templates` then names it in `whatsapp`.',
      tag,
      body: MetaTemplateBody,
      answer: MetaTemplate,
      errors: [400, 403, 409, 413, 415, 503],
      adds_faults: true,
      run: ({ caller, body, shape_faults }) => manager.create(caller, body, shape_faults),
    }),

    route({
      method: 'GET',
      path: '/whatsapp/templates',
      operation: 'whatsapp.templates.list',
      scope: 'sms',
      summary: 'List WhatsApp templates',
      description:
        'All templates at Meta that you may send, by name, with status, reason and quality. Meta’s webhooks update them immediately.',
      tag,
      answer: MetaTemplates,
      errors: [],
      compress: true,
      run: async ({ caller }) => ({ templates: await manager.list(caller) }),
    }),

    route({
      method: 'GET',
      path: '/whatsapp/templates/:id',
      operation: 'whatsapp.templates.get',
      scope: 'sms',
      summary: 'Read a WhatsApp template',
      description: 'With its status at Meta.',
      tag,
      params: IdParams,
      answer: MetaTemplate,
      errors: [404],
      run: ({ caller, params }) => manager.read(caller, params.id),
    }),

    route({
      method: 'PATCH',
      path: '/whatsapp/templates/:id',
      operation: 'whatsapp.templates.update',
      scope: 'sms',
      summary: 'Change a WhatsApp template',
      description:
        'Replaces its components; Meta reviews it again. Meta allows one change of an approved template in 24 hours, and ten in 30 days.',
      tag,
      params: IdParams,
      body: MetaTemplateChange,
      answer: MetaTemplate,
      errors: [400, 403, 404, 413, 415, 503],
      adds_faults: true,
      run: ({ caller, params, body, shape_faults }) => manager.change(caller, params.id, body, shape_faults),
    }),

    route({
      method: 'DELETE',
      path: '/whatsapp/templates/:id',
      operation: 'whatsapp.templates.delete',
      scope: 'sms',
      summary: 'Delete a WhatsApp template',
      description: 'At Meta, in this language. Its name cannot be used again for 30 days.',
      tag,
      params: IdParams,
      errors: [400, 403, 404, 503],
      run: ({ caller, params }) => manager.remove(caller, params.id),
    }),
  ]
}
