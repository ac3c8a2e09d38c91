import type { FastifyInstance } from 'fastify'
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
import { callerOf, faultsOf, keyRoute, refuseMisshapen, requestMeta } from '../route.ts'
import { IdParams } from '../shapes.ts'

export function templateRoutes(app: FastifyInstance, deps: HttpDeps): void {
  const shared = { tag: 'Templates' }

  app.post<{ Body: Partial<TemplateBody> }>(
    '/templates',
    keyRoute(deps, {
      ...shared,
      summary: 'Create a template',
      description:
        'A text to send again and again with `template_id` in `POST /sms/send`. What is in double braces is filled in per recipient from `personalisation`, or from the columns of the contact list when it is sent to a smartlist.',
      body: TemplateBody,
      answer: Template,
      errors: [400, 413, 415],
    }),
    async (request) => createTemplate(deps, callerOf(request).organisation_id, request.body, faultsOf(request)),
  )

  app.get<{ Querystring: PageQuery }>(
    '/templates',
    keyRoute(deps, {
      ...shared,
      summary: 'List templates',
      description: 'Newest first, each in its newest version.',
      querystring: PageQuery,
      answer: TemplatePage,
      errors: [400],
      compress: true,
    }),
    async (request) => {
      refuseMisshapen(request)
      const { templates, pagination } = await findTemplates(deps, callerOf(request).organisation_id, request.query)
      return { templates, meta: { ...requestMeta(request), pagination } }
    },
  )

  app.get<{ Params: IdParams; Querystring: TemplateQuery }>(
    '/templates/:id',
    keyRoute(deps, {
      ...shared,
      summary: 'Read a template',
      description: 'In its newest version, or in an older one such as a message was made of.',
      params: IdParams,
      querystring: TemplateQuery,
      answer: Template,
      errors: [400, 404],
    }),
    async (request) => {
      refuseMisshapen(request)
      return readTemplate(deps, callerOf(request).organisation_id, request.params.id, request.query.version)
    },
  )

  app.patch<{ Params: IdParams; Body: TemplateChange }>(
    '/templates/:id',
    keyRoute(deps, {
      ...shared,
      summary: 'Change a template',
      description: 'Every change makes a new version. Messages that were sent keep the one they were made of.',
      params: IdParams,
      body: TemplateChange,
      answer: Template,
      errors: [400, 404, 413, 415],
    }),
    async (request) => {
      const { organisation_id } = callerOf(request)
      return changeTemplate(deps, organisation_id, request.params.id, request.body, faultsOf(request))
    },
  )

  app.delete<{ Params: IdParams }>(
    '/templates/:id',
    keyRoute(deps, {
      ...shared,
      summary: 'Delete a template',
      description: 'With all of its versions. Messages that were sent keep their text.',
      params: IdParams,
      empty: true,
      errors: [404],
    }),
    async (request, reply) => {
      await removeTemplate(deps, callerOf(request).organisation_id, request.params.id)
      return reply.code(204).send()
    },
  )
}
