import type { FastifyInstance } from 'fastify'
import type { HttpDeps } from '../deps.ts'
import { keyRoutes } from './keys.ts'
import { meRoutes } from './me.ts'
import { organisationRoutes } from './organisations.ts'
import { sessionRoutes } from './session.ts'
import { userRoutes } from './users.ts'

/** The console's own routes; everything else it does goes through the customers' API. */
export function consoleRoutes(app: FastifyInstance, deps: HttpDeps): void {
  sessionRoutes(app, deps)
  meRoutes(app, deps)
  userRoutes(app, deps)
  organisationRoutes(app, deps)
  keyRoutes(app, deps)
}
