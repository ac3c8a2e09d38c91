import type { WhatsappRules } from '../../carriers/whatsapp/rules.ts'
import type { Channel } from '../../carriers/message-carrier.ts'
import type { Fault } from '../../values/refusal.ts'
import type { Sender } from '../draft.ts'
import type { Tariff, TariffOf } from './tariff.ts'

type Deps = { tariffOf: TariffOf; whatsapp: WhatsappRules }

/**
 * The tariff of a message. On WhatsApp its routes lead from the number that the message is sent from: another one of an
 * organisation's numbers is another route. A number of another organisation is a fault.
 */
export async function tariffFor(
  { tariffOf, whatsapp }: Deps,
  { mode, price_list_id, approved_senders }: Pick<Sender, 'mode' | 'price_list_id' | 'approved_senders'>,
  { sender_id, channel }: { sender_id: string | null; channel: Channel },
  faults: Fault[],
): Promise<Tariff> {
  const tariff = await tariffOf({ mode, price_list_id })
  if (channel !== 'whatsapp' || mode === 'test' || !whatsapp.has_numbers) return tariff
  const from = { sender_id, approved_senders }
  if (whatsapp.isForeign(from)) {
    const message = 'This WhatsApp number is not assigned to your organisation.'
    faults.push({ field: 'sender_id', message, type: 'invalid' })
  }
  return {
    ...tariff,
    route(on, recipient, addressee) {
      const route = tariff.route(on, recipient, addressee)
      return on === 'whatsapp' && route !== undefined ? whatsapp.routeFrom(route, from) : route
    },
  }
}
