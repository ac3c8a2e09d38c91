import type { FastifyInstance } from 'fastify'
import type { HttpDeps } from '../deps.ts'
import { assetRoutes } from './assets.ts'
import { eventRoutes } from './events.ts'
import { warnOfForwarded } from './forwarded.ts'
import { keyRoutes } from './keys.ts'
import { meRoutes } from './me.ts'
import { messageRoutes } from './messages.ts'
import { operatorRoutes } from './operator.ts'
import { organisationRoutes } from './organisations.ts'
import { otpListRoutes } from './otps.ts'
import { overviewRoutes } from './overview.ts'
import { senderDecisionRoutes } from './senders.ts'
import { sessionRoutes } from './session.ts'
import { userRoutes } from './users.ts'

/** The console's own routes; everything else it does goes through the customers' API. */
export function consoleRoutes(app: FastifyInstance, deps: HttpDeps): void {
  warnOfForwarded(app, deps)
  sessionRoutes(app, deps)
  meRoutes(app, deps)
  userRoutes(app, deps)
  organisationRoutes(app, deps)
  keyRoutes(app, deps)
  overviewRoutes(app, deps)
  messageRoutes(app, deps)
  otpListRoutes(app, deps)
  operatorRoutes(app, deps)
  senderDecisionRoutes(app, deps)
  eventRoutes(app, deps)
  assetRoutes(app)
}
