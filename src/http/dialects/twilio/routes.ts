import type { FastifyInstance } from 'fastify'
import { Refusal } from '../../../values/refusal.ts'
import type { HttpDeps } from '../../deps.ts'
import { addTwilioRoutes } from './add-routes.ts'
import { lookupRoutes } from './lookup.ts'
import { messageRoutes } from './messages.ts'
import { numberRoutes } from './numbers.ts'
import { verifyRoutes } from './verify.ts'

/**
 * The operations of Twilio's client libraries: messages, numbers, Verify and Lookup. `docs/dialects.md` lists what is
 * supported.
 */
export function twilioRoutes(app: FastifyInstance, deps: HttpDeps): void {
  const elsewhere = (method: 'GET' | 'POST' | 'DELETE') => ({
    method,
    path: '/2010-04-01/*',
    scope: 'sms' as const,
    summary: 'Twilio: other paths',
    run: ({ path }: { path: string }): Promise<object> => {
      throw new Refusal('not_found', `The requested resource ${path} was not found`)
    },
  })
  addTwilioRoutes(app, deps, [
    ...messageRoutes(deps),
    ...numberRoutes(deps),
    ...verifyRoutes(deps),
    ...lookupRoutes(deps),
    elsewhere('GET'),
    elsewhere('POST'),
    elsewhere('DELETE'),
  ])
}
