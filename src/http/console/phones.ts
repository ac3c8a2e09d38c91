import { Type } from '../../values/schema/type.ts'
import { phoneQueue, PHONE_REMOVED } from '../../carriers/phone/queues.ts'
import { forgetPhone, nextPairing } from '../../carriers/phone/store.ts'
import { transaction } from '../../db/transaction.ts'
import { recordAudit } from '../../users/audit.ts'
import { Refusal } from '../../values/refusal.ts'
import type { HttpDeps } from '../deps.ts'
import { route, type Route } from '../route/route.ts'
import { actorOf } from '../route/visitor.ts'
import { PhonesAnswer } from './operator/schema.ts'

const UUID = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'

/** Phones used as carriers: their state, and the token to join. */
export function phoneConsoleRoutes(deps: HttpDeps): Route[] {
  const requireCarrier = async (carrier: string): Promise<void> => {
    const known = await deps.listPhones('')
    if (!known.some((one) => one.carrier === carrier)) throw new Refusal('not_found', 'There is no such carrier.')
  }

  return [
    route({
      method: 'GET',
      path: '/console/api/phones',
      who: 'operator',
      summary: 'List phones, and the details for joining',
      answer: PhonesAnswer,
      compress: true,
      run: async (request) => ({
        carriers: await deps.listPhones(deps.console_url ?? `${request.protocol}://${request.host}`),
      }),
    }),

    route({
      method: 'POST',
      path: '/console/api/phones/:carrier/token',
      who: 'operator',
      summary: 'Replace the private token; phones that have joined stay',
      answer: PhonesAnswer,
      params: Type.Object({ carrier: Type.String() }),
      run: async (request) => {
        const { carrier } = request.params
        await requireCarrier(carrier)
        await transaction(deps.db, async (tx) => {
          await nextPairing(tx, carrier)
          await recordAudit(tx, actorOf(request), { organisation_id: null, action: 'phone.token', subject: carrier })
        })
        return { carriers: await deps.listPhones(deps.console_url ?? `${request.protocol}://${request.host}`) }
      },
    }),

    route({
      method: 'DELETE',
      path: '/console/api/phones/:carrier/:phone',
      who: 'operator',
      summary: 'Remove a phone',
      params: Type.Object({ carrier: Type.String(), phone: Type.String({ pattern: UUID }) }),
      run: async (request) => {
        const { carrier, phone } = request.params
        const gone = await transaction(deps.db, async (tx) => {
          if (!(await forgetPhone(tx, carrier, phone))) return false
          const what = { organisation_id: null, action: 'phone.forget', subject: phone, before: { carrier } }
          await recordAudit(tx, actorOf(request), what)
          return true
        })
        if (!gone) throw new Refusal('not_found', 'There is no such phone.')
        deps.wakeups.wake(phoneQueue(phone), 0, PHONE_REMOVED)
      },
    }),
  ]
}
