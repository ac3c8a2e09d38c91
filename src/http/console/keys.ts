import type { FastifyRequest } from 'fastify'
import { addKey, endKey, findKeys, limitKey, rotateKey, type AlsoNote } from '../../organisations/manage-keys.ts'
import {
  IssuedKey,
  KeyBody,
  KeyChange,
  RotateBody,
  RotatedKey,
  SCOPES,
  ShownKey,
  type Scope,
} from '../../organisations/schema.ts'
import type { Caller } from '../../organisations/store.ts'
import { recordAudit } from '../../users/audit.ts'
import { mayGive } from '../../users/roles.ts'
import { Refusal } from '../../values/refusal.ts'
import type { HttpDeps } from '../deps.ts'
import { route, type Route } from '../route/route.ts'
import { IdParams } from '../shapes.ts'
import { actorOf } from '../route/visitor.ts'
import { Keys } from './people/schema.ts'

const OVERLAP_H = 24

/** API keys are created by users, never with a key. */
export function keyRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/console/api/keys',
      who: 'organisation',
      area: 'keys',
      summary: 'List API keys',
      answer: Keys,
      compress: true,
      run: async ({ caller }) => ({ keys: await findKeys(deps, caller.organisation_id) }),
    }),

    route({
      method: 'POST',
      path: '/console/api/keys',
      who: 'organisation',
      area: 'keys',
      summary: 'Create an API key',
      answer: IssuedKey,
      body: KeyBody,
      adds_faults: true,
      run: (request) => {
        const { caller, body, shape_faults } = request
        requireRightsOf(request, body.scopes)
        return addKey(deps, caller.organisation_id, body, shape_faults, noteAs(request))
      },
    }),

    route({
      method: 'POST',
      path: '/console/api/keys/:id/rotate',
      who: 'organisation',
      area: 'keys',
      summary: 'Replace an API key',
      answer: RotatedKey,
      params: IdParams,
      body: RotateBody,
      run: async (request) => {
        const { caller, params, body } = request
        const { overlap_hours = OVERLAP_H } = body
        const old = (await findKeys(deps, caller.organisation_id)).find(({ id }) => id === params.id)
        if (old) requireRightsOf(request, old.scopes)
        return rotateKey(deps, caller.organisation_id, params.id, overlap_hours, noteAs(request))
      },
    }),

    route({
      method: 'PATCH',
      path: '/console/api/keys/:id',
      who: 'organisation',
      area: 'keys',
      summary: 'Set the daily spending limit of an API key',
      answer: ShownKey,
      params: IdParams,
      body: KeyChange,
      adds_faults: true,
      run: (request) => {
        const { caller, params, body, shape_faults } = request
        return limitKey(deps, caller.organisation_id, params.id, body, shape_faults, noteAs(request))
      },
    }),

    route({
      method: 'DELETE',
      path: '/console/api/keys/:id',
      who: 'organisation',
      area: 'keys',
      summary: 'Revoke an API key',
      params: IdParams,
      run: (request) => endKey(deps, request.caller.organisation_id, request.params.id, noteAs(request)),
    }),
  ]
}

/**
 * A key without scopes has all of them. A value that is not a list of scopes is rejected with the other errors of the
 * body.
 */
function requireRightsOf({ visitor }: FastifyRequest, scopes: readonly Scope[] = SCOPES): void {
  if (!visitor || !Array.isArray(scopes) || mayGive(visitor.role, scopes.filter(isScope))) return
  throw new Refusal('forbidden', `Such a key could do more than your role, ${visitor.role}, may. Choose fewer scopes.`)
}

function isScope(given: unknown): given is Scope {
  return SCOPES.some((scope) => scope === given)
}

function noteAs(request: FastifyRequest & { caller: Caller }): AlsoNote {
  const { organisation_id } = request.caller
  return (tx, record) => recordAudit(tx, actorOf(request), { organisation_id, ...record })
}
