import Fastify from 'fastify'
import { makePhoneApi } from '../../src/carriers/phone/api.ts'
import type { PhoneSettings } from '../../src/carriers/phone/schema.ts'
import { pairingToken } from '../../src/carriers/phone/tokens.ts'
import { readBodies } from '../../src/http/body/read-bodies.ts'
import { answerFault } from '../../src/http/errors.ts'
import { phoneRoutes } from '../../src/http/routes/phones.ts'
import { pepperKeys } from '../../src/otp/pepper.ts'
import type { CarrierDeps } from '../contracts/message-network.ts'
import { PEPPER } from './secret-seal.ts'

const { phone_key } = pepperKeys(PEPPER)

/** The address to enter into the app, in installations with the pepper of the tests. */
export function tokenOf(carrier: string, pairing = 1): string {
  return pairingToken(phone_key, carrier, pairing)
}

/** The API for phones alone, for a carrier without a service. */
export async function openPhoneApi(deps: CarrierDeps, carriers: readonly PhoneSettings[]) {
  const app = Fastify()
  readBodies(app)
  app.setErrorHandler((fault, _request, reply) => {
    const { answer } = answerFault(fault)
    return reply.code(answer.status).send(answer)
  })
  phoneRoutes(app, {
    phones: makePhoneApi({ ...deps, phone_key }, carriers),
    wakeups: deps.wakeups,
    console_url: undefined,
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return { url, close: () => app.close() }
}
