import type { FastifyInstance, FastifyRequest } from 'fastify'
import { addKey, endKey, findKeys, rotateKey, type AlsoNote } from '../../organisations/manage-keys.ts'
import { KeyBody, RotateBody } from '../../organisations/schema.ts'
import { recordAudit } from '../../users/audit.ts'
import type { HttpDeps } from '../deps.ts'
import { callerOf } from '../route/add-routes.ts'
import { faultsOf, refuseMisshapen } from '../route/faults.ts'
import { requestMeta } from '../route/meta.ts'
import { consoleRoute } from './console-route.ts'
import type { ConsoleAnswers } from './schema.ts'
import { actorOf } from './visitor.ts'

const OVERLAP_H = 24

/** API keys are made by people, never by a key. */
export function keyRoutes(app: FastifyInstance, deps: HttpDeps): void {
  app.get(
    '/console/api/keys',
    consoleRoute(deps, { for: 'organisation', compress: true }),
    async (request): Promise<ConsoleAnswers['GET /console/api/keys']> => ({
      keys: await findKeys(deps, callerOf(request).organisation_id),
      meta: requestMeta(request),
    }),
  )

  app.post<{ Body: KeyBody }>(
    '/console/api/keys',
    consoleRoute(deps, { for: 'organisation', body: KeyBody }),
    async (request): Promise<ConsoleAnswers['POST /console/api/keys']> =>
      addKey(deps, callerOf(request).organisation_id, request.body, faultsOf(request), noteAs(request)),
  )

  app.post<{ Params: { id: string }; Body: RotateBody }>(
    '/console/api/keys/:id/rotate',
    consoleRoute(deps, { for: 'organisation', body: RotateBody }),
    async (request): Promise<ConsoleAnswers['POST /console/api/keys/{id}/rotate']> => {
      refuseMisshapen(request)
      const { overlap_hours = OVERLAP_H } = request.body
      return rotateKey(deps, callerOf(request).organisation_id, request.params.id, overlap_hours, noteAs(request))
    },
  )

  app.delete<{ Params: { id: string } }>(
    '/console/api/keys/:id',
    consoleRoute(deps, { for: 'organisation' }),
    async (request, reply) => {
      await endKey(deps, callerOf(request).organisation_id, request.params.id, noteAs(request))
      return reply.code(204).send()
    },
  )
}

function noteAs(request: FastifyRequest): AlsoNote {
  const { organisation_id } = callerOf(request)
  return (tx, record) => recordAudit(tx, actorOf(request), { organisation_id, ...record })
}
