import type { FastifyRequest } from 'fastify'
import { mayDo, type Area } from '../../users/roles.ts'
import { Refusal } from '../../values/refusal.ts'
import { isRead } from '../reads.ts'
import type { Need } from '../scopes.ts'

/**
 * The area of a route that is called with a key: of several scopes the first, which is what it changes. What needs every
 * scope is as good as a key itself.
 */
export function areaOf(need: Need): Area {
  if (need === 'all') return 'keys'
  return typeof need === 'string' ? need : (need[0] ?? 'keys')
}

/** Why the person behind this session may not do this, if so. */
export function rightFault({ visitor, method, routeOptions }: FastifyRequest, area: Area): Refusal | undefined {
  if (!visitor || mayDo(visitor.role, area, !isRead(method, routeOptions.url ?? ''))) return undefined
  return new Refusal('forbidden', `Your role, ${visitor.role}, does not allow this. Ask an owner or admin.`)
}
