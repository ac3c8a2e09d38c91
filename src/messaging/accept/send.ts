import { saleWrite, type SaleWrite, type Receipt, type Sale, type ChargeSale } from '../../billing/charge.ts'
import type { Meters } from '../../observe/meters.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import type { Fault } from '../../values/refusal.ts'
import { sentAnswer } from './sent-answer.ts'
import { UNBUNDLE_QUEUE } from './bundle-store.ts'
import { compose } from '../compose/compose.ts'
import type { ComposeDeps } from '../compose/deps.ts'
import type { Draft, Sender, TemplateRef } from '../draft.ts'
import { storeLinks, storeLinksAtOnce } from '../links/link-store.ts'
import { UNPACK_QUEUE } from './pack-store.ts'
import { routeQueue } from '../dispatch/route.ts'
import { storeScheduled } from '../schedule/store.ts'
import { isWaiting } from '../schedule/schedule.ts'
import type { SendBody } from '../schema.ts'
import { storeMessages, storeMessagesAtOnce } from './store.ts'

export type SendDeps = ComposeDeps & {
  chargeSale: ChargeSale
  wakeups: Wakeups
  meters: Meters
}

/** Checks, prices, charges, stores and enqueues a message. When it resolves, nothing of that can be lost. */
export async function sendMessage(
  deps: SendDeps,
  sender: Sender,
  body: Partial<SendBody>,
  request: { shape_faults: readonly Fault[]; idempotency?: Sale['idempotency']; made_of?: TemplateRef | undefined },
): Promise<Receipt> {
  const draft = await compose(deps, sender, body, request.shape_faults, request.made_of)
  const receipt = await deps.chargeSale(sender.organisation_id, {
    kind: 'message',
    subject_id: draft.id,
    amount: draft.charge,
    idempotency: request.idempotency,
    answer: sentAnswer(draft),
    writes: writesOf(draft),
    weight: weightOf(draft),
  })
  if (!receipt.replayed) announce(deps, draft)
  return receipt
}

/** About how many rows it takes to store; a packed recipient without own words is a few bytes of one. */
function weightOf({ deliveries, packs, links }: Draft): number {
  const bare = packs?.every(({ texts }) => texts.length === 0) === true
  return (bare ? Math.ceil(deliveries.length / PACKED_TO_A_ROW) : deliveries.length) + (links?.length ?? 0)
}

const PACKED_TO_A_ROW = 10

function writesOf(draft: Draft): SaleWrite[] {
  const all = [saleWrite(storeMessages, draft, storeMessagesAtOnce)]
  if (isWaiting(draft)) all.push(saleWrite(storeScheduled, draft))
  if (draft.links) all.push(saleWrite(storeLinks, draft.links, storeLinksAtOnce))
  return all
}

/** After the commit: wake the routes the message takes, or who makes rows of it for them. */
export function announce(deps: Pick<SendDeps, 'meters' | 'wakeups'>, draft: Draft): void {
  deps.meters.accepted.inc({ channel: draft.channel }, draft.deliveries.length)
  if (draft.bundled) return deps.wakeups.wake(UNBUNDLE_QUEUE)
  if (draft.packs) return deps.wakeups.wake(UNPACK_QUEUE)
  const routes = new Set(draft.deliveries.map(({ route }) => route))
  for (const route of routes) deps.wakeups.wake(routeQueue(route))
}
