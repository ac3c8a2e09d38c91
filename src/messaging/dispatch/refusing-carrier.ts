import { descriptionOf } from '../../carriers/delivery-codes.ts'
import type { MessageCarrier } from '../../carriers/message-carrier.ts'

/** The routes of deliveries that are rejected without a carrier. No configured name contains a colon. */
export const DND_ROUTE = 'refused:dnd'
export const OPTED_OUT_ROUTE = 'refused:opted_out'
export const WINDOW_ROUTE = 'refused:window'

/** The outcome of a delivery to a recipient who has opted out. */
export const OPTED_OUT = rejected('opted_out')
const ON_DND_LIST = rejected('dnd')
/** Free text to a recipient who has not written to the WhatsApp number lately; the code is Meta's. */
const NO_WINDOW = rejected('131047')

const OUTCOMES = { [DND_ROUTE]: ON_DND_LIST, [OPTED_OUT_ROUTE]: OPTED_OUT, [WINDOW_ROUTE]: NO_WINDOW }
export const REFUSING_ROUTES = [DND_ROUTE, OPTED_OUT_ROUTE, WINDOW_ROUTE] as const

/** Whether this is a refusing carrier: no message of it can be with a network. */
export function carriesNothing({ name }: Pick<MessageCarrier, 'name'>): boolean {
  return Object.hasOwn(OUTCOMES, name)
}

const BATCH = 1_000

/**
 * A carrier that rejects everything. A delivery that must not be sent uses a route like any other, so that it gets its
 * state, its callback and its place in the statistics the same way.
 */
export function makeRefusingCarrier(route: keyof typeof OUTCOMES): MessageCarrier {
  const outcome = OUTCOMES[route]
  return {
    name: route,
    batch: BATCH,
    resubmittable: true,
    takes_binary: true,
    submit: (messages) => Promise.resolve(messages.map(() => outcome)),
    stop: () => Promise.resolve(),
  }
}

function rejected(code: string) {
  return { kind: 'rejected', code, description: descriptionOf(code) } as const
}
