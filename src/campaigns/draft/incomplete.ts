import type { Db } from '../../db/connect.ts'
import { readFilters } from '../../contacts/query/filters.ts'
import type { SavedFilters } from '../../contacts/query/schema.ts'
import { openTable } from '../../contacts/table.ts'
import type { Sender } from '../../messaging/draft.ts'
import { NO_MOMENT } from '../../messaging/schedule/schedule.ts'
import { isId } from '../../values/id.ts'
import { withoutHalves } from '../../values/input/storable.ts'
import { isRecord, pickPresent, present } from '../../values/record.ts'
import { refuseIfFaulty, type Fault } from '../../values/refusal.ts'
import { answerTime, isInYears, readMoment } from '../../values/time/moment.ts'
import { CampaignBody } from '../schema.ts'
import type { CampaignParts, CampaignRow } from '../store.ts'
import { nameOf } from './check.ts'
import { readShares } from './shares.ts'

/**
 * A campaign that is saved although fields are missing. Each field has to have its form, so that it can be shown; whether they
 * make a campaign is checked when it is saved complete.
 */
export async function incompleteParts(
  deps: { db: Db },
  sender: Sender,
  given: Partial<CampaignBody>,
  shape_faults: readonly Fault[],
): Promise<CampaignParts> {
  const faults = [...shape_faults]
  const { smartlist_id, send_at, filters } = given
  const table = filters === undefined ? undefined : await openTable(deps, sender)
  const form = {
    ...present('filters', table && readFilters(table, filters, faults).saved),
    ...present('send_at', typeof send_at === 'string' ? readTime(send_at, faults) : undefined),
  }
  if (smartlist_id !== undefined && !isId(smartlist_id)) {
    faults.push({ field: 'smartlist_id', message: 'This is not the id of a smartlist.', type: 'invalid' })
  }
  refuseIfFaulty(faults)
  const draft = clean({ ...pickPresent(given, ...FIELDS), ...form })
  return {
    ...NOTHING,
    name: draft.name?.trim() || nameOf(undefined, draft.content ?? draft.texts?.[0]?.content ?? ''),
    draft,
  }
}

function readTime(given: string, faults: Fault[]): string | undefined {
  const at = readMoment(given)
  if (at !== undefined && isInYears(at)) return answerTime(at)
  faults.push({ field: 'send_at', message: NO_MOMENT, type: 'date_invalid' })
  return undefined
}

/** An incomplete campaign as it is shown: with the fields as given. */
export function shownIncomplete(row: CampaignRow): CampaignRow {
  if (!row.draft) return row
  const { draft } = row
  const texts = draft.texts ?? [draft]
  const shares = readShares(draft.texts, [])
  return {
    ...row,
    ...pickPresent(draft, 'smartlist_id', 'send_at', 'pace_per_hour', 'quiet_from', 'quiet_until'),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- stored in the form of saved filters
    filters: (draft.filters ?? []) as SavedFilters,
    message: {
      ...pickPresent(draft, ...MESSAGE_FIELDS),
      channel: draft.channel === 'whatsapp' ? 'whatsapp' : 'sms',
      route_class: draft.route_class === 'promotional' ? 'promotional' : 'transactional',
    },
    texts: texts.map((text, n) => {
      return { content: text.content ?? '', ...pickPresent(text, 'template_id'), share: shares[n] ?? 0 }
    }),
  }
}

const MESSAGE_FIELDS = ['sender_id', 'is_trackable', 'smart_encoding', 'external_ref', 'callback'] as const

const FIELDS = [
  ...MESSAGE_FIELDS,
  'channel',
  'route_class',
  'name',
  'smartlist_id',
  'filters',
  'content',
  'template_id',
  'texts',
  'send_at',
  'pace_per_hour',
  'quiet_from',
  'quiet_until',
] as const satisfies (keyof CampaignBody)[]

const NOTHING: Omit<CampaignParts, 'name' | 'draft'> = {
  smartlist_id: null,
  filters: [],
  number: null,
  message: { channel: 'sms' },
  texts: [],
  send_at: null,
  pace_per_hour: null,
  quiet_from: null,
  quiet_until: null,
}

/** Without what PostgreSQL cannot store in JSON, in names of fields as in values. */
function clean<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_key, one: unknown) => {
    if (typeof one === 'string') return cleanText(one)
    return isRecord(one) && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).map(([name, it]) => [cleanText(name), it]))
      : one
  })
}

function cleanText(text: string): string {
  return withoutHalves(text.replaceAll('\u0000', ''))
}
