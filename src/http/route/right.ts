import type { FastifyRequest } from 'fastify'
import { mayDo, type Area } from '../../users/roles.ts'
import { Refusal } from '../../values/refusal.ts'
import { isRead } from '../reads.ts'
import type { Need } from '../scopes.ts'

/**
 * The area of a route with a scope: the first scope, which is what it changes. A route that needs every scope belongs
 * to the area of API keys.
 */
export function areaOf(need: Need): Area {
  if (need === 'all') return 'keys'
  return typeof need === 'string' ? need : (need[0] ?? 'keys')
}

/** The refusal if the console user's role does not permit this. */
export function rightFault({ visitor, method, routeOptions }: FastifyRequest, area: Area): Refusal | undefined {
  if (!visitor || mayDo(visitor.role, area, !isRead(method, routeOptions.url ?? ''))) return undefined
  return new Refusal('forbidden', `Your role, ${visitor.role}, does not allow this. Ask an owner or admin.`)
}
