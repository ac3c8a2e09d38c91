import type { ChargeSale, Receipt, Sale } from '../../billing/charge.ts'
import { orReplay } from '../../billing/replay.ts'
import { knowsKey } from '../../billing/store.ts'
import type { Meters } from '../../observe/meters.ts'
import type { Limits } from '../../organisations/limits.ts'
import type { Fault } from '../../values/refusal.ts'
import { compose, type ComposeOptions } from '../compose/compose.ts'
import type { ComposeDeps } from '../compose/deps.ts'
import { PRIORITY, type Draft, type Sender } from '../draft.ts'
import type { IntakeDepth } from '../intake/depth.ts'
import type { SendBody } from '../schema.ts'
import { sentAnswer } from './sent-answer.ts'

export type SendDeps = ComposeDeps & {
  chargeMessage: ChargeSale<Draft>
  meters: Meters
  depth: Pick<IntakeDepth, 'refusalOf'>
  limits: Pick<Limits, 'takeMessages'>
}

/** Checks, prices, charges and stores a message. When it resolves, the message is durable. */
export async function sendMessage(
  deps: SendDeps,
  sender: Sender,
  body: Partial<SendBody>,
  request: ComposeOptions & {
    shape_faults: readonly Fault[]
    idempotency?: Sale<Draft>['idempotency']
    /** The address of delivery reports, if it is not a URL (`smppForm`). */
    callback_address?: string | undefined
    /** The format of callbacks, if it is not Gangan's own (`callbacks/formats/address.ts`). */
    callback_form?: string | undefined
    /** It is not submitted later than this. */
    expires_in_s?: number | undefined
    /** It has the priority of a campaign. */
    is_bulk?: boolean
  },
): Promise<Receipt> {
  const { callback_address, callback_form, expires_in_s, is_bulk, idempotency, shape_faults } = request
  const { organisation_id } = sender
  return orReplay(deps.db, organisation_id, idempotency, async () => {
    const draft = await compose(deps, sender, body, shape_faults, request)
    if (callback_address !== undefined) draft.callback = callback_address
    if (callback_form !== undefined && draft.callback !== undefined)
      draft.callback = `${callback_form} ${draft.callback}`
    if (expires_in_s !== undefined) draft.expires_in_s = expires_in_s
    if (is_bulk) draft.priority = PRIORITY.bulk
    return acceptDraft(deps, sender, draft, { idempotency, answer: sentAnswer(draft) })
  })
}

/** Charges and stores a composed message, unless the intake is full or the organisation exceeds its limit. */
export async function acceptDraft(
  deps: Pick<SendDeps, 'db' | 'chargeMessage' | 'meters' | 'depth' | 'limits'>,
  sender: Pick<Sender, 'organisation_id' | 'messages_per_s' | 'spending_limit'>,
  draft: Draft,
  { idempotency, answer }: Pick<Sale<Draft>, 'idempotency' | 'answer'>,
): Promise<Receipt> {
  const recipients = draft.deliveries.length
  const { organisation_id } = sender
  const taken = deps.depth.refusalOf(organisation_id, recipients) ?? deps.limits.takeMessages(sender, recipients)
  const refusal = taken instanceof Promise ? await taken : taken
  if (refusal && !(await isRetry(deps, organisation_id, idempotency))) throw refusal
  const receipt = await deps.chargeMessage(organisation_id, {
    subject_id: draft.id,
    amount: draft.charge,
    spending_limit: sender.spending_limit,
    idempotency,
    answer,
    item: draft,
    weight: weightOf(draft),
  })
  if (receipt.replayed) return receipt
  deps.meters.accepted.inc({ channel: draft.channel }, recipients)
  return receipt
}

/** A retry gets the stored response, also when the intake is full or the limit is exceeded. */
async function isRetry(
  { db }: Pick<SendDeps, 'db'>,
  organisation_id: string,
  idempotency: Sale<Draft>['idempotency'],
): Promise<boolean> {
  return idempotency !== undefined && knowsKey(db, organisation_id, idempotency.key)
}

/** The approximate number of rows to store; a recipient without a text of its own is a few bytes of one. */
function weightOf({ deliveries, links }: Draft): number {
  const [first] = deliveries
  const bare = first?.text === undefined && first?.send_at === undefined
  return (bare ? Math.ceil(deliveries.length / BARE_TO_A_ROW) : deliveries.length) + (links?.length ?? 0)
}

const BARE_TO_A_ROW = 10
