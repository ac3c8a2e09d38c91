import type { MessageCarrier } from '../carriers/message-carrier.ts'

/** The route of deliveries that are not to be carried. No configured name has a colon. */
export const DND_ROUTE = 'refused:dnd'

const BATCH = 1_000

/**
 * Carries nothing. A delivery that was never to be carried ends as others do, with its state, its callback and its
 * place in the figures, so it takes a route like others.
 */
export function makeRefusingCarrier(): MessageCarrier {
  return {
    name: DND_ROUTE,
    batch: BATCH,
    resubmittable: true,
    submit: (messages) =>
      Promise.resolve(
        messages.map(() => {
          const description = 'the recipient is on a do-not-disturb list or has opted out'
          return { kind: 'rejected', code: 'dnd', description }
        }),
      ),
    stop: () => Promise.resolve(),
  }
}
