import { Template, TemplateBody, TemplateChange, TemplatePage, TemplateQuery } from '../../templates/schema.ts'
import {
  changeTemplate,
  createTemplate,
  findTemplates,
  readTemplate,
  removeTemplate,
} from '../../templates/templates.ts'
import { PageQuery } from '../../values/page.ts'
import type { HttpDeps } from '../deps.ts'
import { route, type Route } from '../route/route.ts'
import { IdParams } from '../shapes.ts'

const tag = 'Templates'

export function templateRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'POST',
      path: '/templates',
      operation: 'templates.create',
      scope: 'sms',
      summary: 'Create a template',
      description:
        'A reusable text, sent with `template_id` in `POST /sms/send`. Placeholders in double braces are filled per recipient from `personalisation`, or from the columns of the contact list when it is sent to a smartlist.',
      tag,
      body: TemplateBody,
      answer: Template,
      errors: [400, 413, 415],
      adds_faults: true,
      run: ({ caller, body, shape_faults }) => createTemplate(deps, caller.organisation_id, body, shape_faults),
    }),

    route({
      method: 'GET',
      path: '/templates',
      operation: 'templates.list',
      scope: 'sms',
      summary: 'List templates',
      description: 'Newest first, each in its newest version.',
      tag,
      query: PageQuery,
      answer: TemplatePage,
      errors: [400],
      compress: true,
      run: ({ caller, query }) => findTemplates(deps, caller.organisation_id, query),
    }),

    route({
      method: 'GET',
      path: '/templates/:id',
      operation: 'templates.get',
      scope: 'sms',
      summary: 'Read a template',
      description: 'In its newest version, or in an older one.',
      tag,
      params: IdParams,
      query: TemplateQuery,
      answer: Template,
      errors: [400, 404],
      run: ({ caller, params, query }) => readTemplate(deps, caller.organisation_id, params.id, query.version),
    }),

    route({
      method: 'PATCH',
      path: '/templates/:id',
      operation: 'templates.update',
      scope: 'sms',
      summary: 'Change a template',
      description: 'Every change creates a new version. Sent messages keep theirs.',
      tag,
      params: IdParams,
      body: TemplateChange,
      answer: Template,
      errors: [400, 404, 413, 415],
      adds_faults: true,
      run: async ({ caller, params, body, shape_faults }) => {
        const { organisation_id } = caller
        return changeTemplate(deps, organisation_id, params.id, body, shape_faults)
      },
    }),

    route({
      method: 'DELETE',
      path: '/templates/:id',
      operation: 'templates.delete',
      scope: 'sms',
      summary: 'Delete a template',
      description: 'With all its versions. Sent messages keep their text.',
      tag,
      params: IdParams,
      errors: [404],
      run: ({ caller, params }) => removeTemplate(deps, caller.organisation_id, params.id),
    }),
  ]
}
