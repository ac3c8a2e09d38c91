import type { MessageCarrier } from '../../carriers/message-carrier.ts'

/** The routes of deliveries that are not to be carried. No configured name has a colon. */
export const DND_ROUTE = 'refused:dnd'
export const OPTED_OUT_ROUTE = 'refused:opted_out'
export const WINDOW_ROUTE = 'refused:window'

/** What becomes of a delivery to somebody who has opted out. */
export const OPTED_OUT = {
  kind: 'rejected',
  code: 'opted_out',
  description: 'the recipient has asked for no more messages',
} as const
const ON_DND_LIST = { kind: 'rejected', code: 'dnd', description: 'the recipient is on a do-not-disturb list' } as const
/** Free text to who has not written to the WhatsApp number lately; the code is Meta's. */
const NO_WINDOW = {
  kind: 'rejected',
  code: '131047',
  description: 'the recipient has not written in the last 24 hours: WhatsApp takes only a template',
} as const

/** Why we did not carry something, with the words for it. */
export const REFUSALS: readonly { code: string; description: string }[] = [OPTED_OUT, ON_DND_LIST, NO_WINDOW]

const OUTCOMES = { [DND_ROUTE]: ON_DND_LIST, [OPTED_OUT_ROUTE]: OPTED_OUT, [WINDOW_ROUTE]: NO_WINDOW }
export const REFUSING_ROUTES = [DND_ROUTE, OPTED_OUT_ROUTE, WINDOW_ROUTE] as const

/** What waits for it is with no carrier, whoever died with it. */
export function carriesNothing({ name }: Pick<MessageCarrier, 'name'>): boolean {
  return Object.hasOwn(OUTCOMES, name)
}

const BATCH = 1_000

/**
 * Carries nothing. A delivery that was never to be carried ends as others do, with its state, its callback and its
 * place in the figures, so it takes a route like others.
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
