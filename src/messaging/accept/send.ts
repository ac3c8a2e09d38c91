import type { ChargeSale, Receipt, Sale } from '../../billing/charge.ts'
import { orReplay } from '../../billing/replay.ts'
import { knowsKey } from '../../billing/store.ts'
import type { Meters } from '../../observe/meters.ts'
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
}

/** Checks, prices, charges and stores a message. When it resolves, nothing of that can be lost. */
export async function sendMessage(
  deps: SendDeps,
  sender: Sender,
  body: Partial<SendBody>,
  request: ComposeOptions & {
    shape_faults: readonly Fault[]
    idempotency?: Sale<Draft>['idempotency']
    /** Where reports are told, if that is no URL (`smppForm`). */
    callback_address?: string | undefined
    /** In which form reports are told to the callback, where that is not ours (`callbacks/formats/address.ts`). */
    callback_form?: string | undefined
    /** It is not handed over later than this. */
    expires_in_s?: number | undefined
    /** It goes behind what others send, as a campaign does. */
    in_no_hurry?: boolean
  },
): Promise<Receipt> {
  const { callback_address, callback_form, expires_in_s, in_no_hurry, idempotency, shape_faults } = request
  const { organisation_id } = sender
  return orReplay(deps.db, organisation_id, idempotency, async () => {
    const draft = await compose(deps, sender, body, shape_faults, request)
    if (callback_address !== undefined) draft.callback = callback_address
    if (callback_form !== undefined && draft.callback !== undefined)
      draft.callback = `${callback_form} ${draft.callback}`
    if (expires_in_s !== undefined) draft.expires_in_s = expires_in_s
    if (in_no_hurry) draft.priority = PRIORITY.bulk
    return acceptDraft(deps, organisation_id, draft, { idempotency, answer: sentAnswer(draft) })
  })
}

/** Charges and stores a message that is worked out, unless too much waits already. */
export async function acceptDraft(
  deps: Pick<SendDeps, 'db' | 'chargeMessage' | 'meters' | 'depth'>,
  organisation_id: string,
  draft: Draft,
  { idempotency, answer }: Pick<Sale<Draft>, 'idempotency' | 'answer'>,
): Promise<Receipt> {
  const recipients = draft.deliveries.length
  const refusal = deps.depth.refusalOf(organisation_id, recipients)
  if (refusal && !(await isRetry(deps, organisation_id, idempotency))) throw refusal
  const receipt = await deps.chargeMessage(organisation_id, {
    subject_id: draft.id,
    amount: draft.charge,
    idempotency,
    answer,
    item: draft,
    weight: weightOf(draft),
  })
  if (receipt.replayed) return receipt
  deps.meters.accepted.inc({ channel: draft.channel }, recipients)
  return receipt
}

/** A retry gets the first answer again, also when the first has used up the limit. */
async function isRetry(
  { db }: Pick<SendDeps, 'db'>,
  organisation_id: string,
  idempotency: Sale<Draft>['idempotency'],
): Promise<boolean> {
  return idempotency !== undefined && knowsKey(db, organisation_id, idempotency.key)
}

/** About how many rows it takes to store; a recipient without own words is a few bytes of one. */
function weightOf({ deliveries, links }: Draft): number {
  const [first] = deliveries
  const bare = first?.text === undefined && first?.send_at === undefined
  return (bare ? Math.ceil(deliveries.length / BARE_TO_A_ROW) : deliveries.length) + (links?.length ?? 0)
}

const BARE_TO_A_ROW = 10
