import type { Db } from '../../db/connect.ts'
import type { SendDeps } from '../../messaging/accept/send.ts'
import type { Sender } from '../../messaging/draft.ts'
import type { SendBody } from '../../messaging/schema.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import { isId } from '../../values/id.ts'
import { moneyToNumber } from '../../values/money.ts'
import { pickPresent } from '../../values/record.ts'
import { Refusal } from '../../values/refusal.ts'
import { cancelOf } from '../control.ts'
import { storeCampaign, type Request } from '../draft/create.ts'
import { CAMPAIGN_QUEUE, enqueueStart } from '../queues.ts'
import { findCampaign, type CampaignRow } from '../store.ts'
import type { ListSend, SendStatus } from './schema.ts'

type Owner = { organisation_id: string }

/**
 * Accepts a message to a smartlist. It is stored as a campaign that needs no confirmation: at its time it is sent to
 * everyone who matches the list then.
 */
export async function sendToList(
  deps: SendDeps & { db: Db; wakeups: Wakeups },
  sender: Sender & { key_id: string | null },
  body: Partial<SendBody>,
  request: Request,
): Promise<{ send: ListSend; replayed: boolean }> {
  const { organisation_id } = sender
  // The columns of the list take the place of personalisation.
  const { recipients: _none, personalisation: _of_recipients, whatsapp: _of_windows, ...asked } = body
  const shape_faults = request.shape_faults.filter(({ field }) => field !== 'recipients')
  if (body.whatsapp !== undefined) {
    const message = 'A list is sent texts and templates: few of its people have written in the last 24 hours.'
    shape_faults.push({ field: 'whatsapp', message, type: 'invalid' })
  }
  const kind = { status: 'scheduled' as const, is_list_send: true, run: 1, key_id: sender.key_id }
  const { id, replayed } = await storeCampaign(
    deps,
    sender,
    asked,
    { ...request, shape_faults },
    kind,
    (tx, campaign) => enqueueStart(tx, organisation_id, campaign, campaign.send_at),
  )
  deps.wakeups.wake(CAMPAIGN_QUEUE)
  return { send: shown({ ...(await known(deps.db, organisation_id, id)), ...AT_FIRST }), replayed }
}

export async function readListSend(deps: { db: Db }, { organisation_id }: Owner, id: string): Promise<ListSend> {
  return shown(await known(deps.db, organisation_id, id))
}

/** Cancels a send; one that has ended is left unchanged. */
export async function cancelListSend(deps: { db: Db; wakeups: Wakeups }, owner: Owner, id: string): Promise<void> {
  const row = await known(deps.db, owner.organisation_id, id)
  if (!['done', 'canceled'].includes(statusOf(row))) await cancelOf(deps, owner, row.id)
}

/** A replayed request returns the same response as the first one. */
const AT_FIRST = {
  status: 'scheduled' as const,
  rows: 0,
  accepted: 0,
  left_out: {},
  dropped: 0,
  charged: 0n,
  all_accepted: false,
  fault: null,
  updated_datetime: null,
}

async function known(db: Db, organisation_id: string, id: string): Promise<CampaignRow> {
  const row = isId(id) ? await findCampaign(db, organisation_id, id) : undefined
  if (!row || row.smartlist_id === null) throw new Refusal('not_found', 'There is no such message to a list.')
  return row
}

function statusOf({ status, all_accepted, pause_reason, fault }: CampaignRow): SendStatus {
  switch (status) {
    case 'draft':
    case 'estimating':
    case 'estimated':
    case 'scheduled':
      return 'queued'
    case 'running':
      return all_accepted ? 'done' : 'running'
    case 'paused':
      return pause_reason === 'by_hand' ? 'running' : 'failed'
    case 'finished':
      return 'done'
    case 'canceled':
      return fault === null ? 'canceled' : 'failed'
  }
}

const NOT_REFUSED = ['twice', 'no_number', 'incomplete']

function shown(row: CampaignRow): ListSend {
  const { message, texts, left_out } = row
  const [text] = texts
  const refused = Object.entries(left_out).filter(([reason]) => !NOT_REFUSED.includes(reason))
  return {
    id: row.id,
    smartlist_id: row.smartlist_id ?? '',
    status: statusOf(row),
    content: text?.content ?? '',
    ...(text && pickPresent(text, 'template_id', 'template_version')),
    ...pickPresent(message, 'sender_id', 'channel', 'external_ref', 'callback'),
    ...pickPresent(row, 'send_at', 'rows', 'accepted'),
    duplicates: left_out.twice ?? 0,
    without_number: left_out.no_number ?? 0,
    incomplete: left_out.incomplete ?? 0,
    refused: refused.reduce((sum, [, people]) => sum + people, row.dropped),
    charge: moneyToNumber(row.charged),
    ...pickPresent(row, 'fault', 'created_datetime', 'updated_datetime'),
  }
}
