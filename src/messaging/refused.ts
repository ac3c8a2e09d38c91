import type { MessageCarrier } from '../carriers/message-carrier.ts'

/** The routes of deliveries that are not to be carried. No configured name has a colon. */
export const DND_ROUTE = 'refused:dnd'
export const OPTED_OUT_ROUTE = 'refused:opted_out'

/** What becomes of a delivery to somebody who has opted out. */
export const OPTED_OUT = {
  kind: 'rejected',
  code: 'opted_out',
  description: 'the recipient has asked for no more messages',
} as const
const ON_DND_LIST = { kind: 'rejected', code: 'dnd', description: 'the recipient is on a do-not-disturb list' } as const

const BATCH = 1_000

/**
 * Carries nothing. A delivery that was never to be carried ends as others do, with its state, its callback and its
 * place in the figures, so it takes a route like others.
 */
export function makeRefusingCarrier(route: typeof DND_ROUTE | typeof OPTED_OUT_ROUTE): MessageCarrier {
  const outcome = route === OPTED_OUT_ROUTE ? OPTED_OUT : ON_DND_LIST
  return {
    name: route,
    batch: BATCH,
    resubmittable: true,
    submit: (messages) => Promise.resolve(messages.map(() => outcome)),
    stop: () => Promise.resolve(),
  }
}
