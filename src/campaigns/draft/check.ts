import { readFilters } from '../../contacts/query/filters.ts'
import { unknownSmartlist } from '../../contacts/query/search.ts'
import { findSmartlist } from '../../contacts/smartlist-store.ts'
import { findColumn, openTable, type OpenTable } from '../../contacts/table.ts'
import { readChannel } from '../../messaging/compose/check.ts'
import type { ComposeDeps } from '../../messaging/compose/deps.ts'
import { planMessage } from '../../messaging/compose/plan.ts'
import type { Sender } from '../../messaging/draft.ts'
import { isId } from '../../values/id.ts'
import { dialPlan, sampleNumber } from '../../values/phone/phone.ts'
import { pickPresent, present } from '../../values/record.ts'
import { Refusal, refuseIfFaulty, type Fault } from '../../values/refusal.ts'
import { checkStorable, withoutHalves } from '../../values/input/storable.ts'
import { neededPlaceholders } from '../message.ts'
import { MAX_TEXTS, type CampaignBody } from '../schema.ts'
import type { CampaignParts, CampaignText } from '../store.ts'
import { readShares } from './shares.ts'
import { readWords, type Words } from './words.ts'

const NAME_CHARACTERS = 60

/** Checks a campaign like a message to a sample number of the organisation's country. */
export async function checkCampaign(
  deps: ComposeDeps,
  sender: Sender,
  given: Partial<CampaignBody>,
  shape_faults: readonly Fault[],
): Promise<CampaignParts> {
  // Each text is composed like a message; too many of them are only reported as such.
  const body = Array.isArray(given.texts) ? { ...given, texts: given.texts.slice(0, MAX_TEXTS) } : given
  const faults = [...shape_faults]
  const { organisation_id } = sender
  const by_list = body.smartlist_id !== undefined
  const table = by_list ? await openTable(deps, sender) : undefined
  const list = isId(body.smartlist_id) ? await findSmartlist(deps.db, organisation_id, body.smartlist_id) : undefined
  const column = table?.columns.find(({ type }) => type === 'PHONE NUMBER')
  if (table && !column) {
    const message = 'The contact list has no column of type PHONE NUMBER.'
    faults.push({ field: 'smartlist_id', message, type: 'invalid' })
  }
  const filters = table ? readFilters(table, body.filters, faults).saved : []
  if (!table && (body.filters?.length ?? 0) > 0) {
    const message = 'Filters are for smartlists: give a smartlist_id with them.'
    faults.push({ field: 'filters', message, type: 'invalid' })
  }
  checkQuietHours(body, faults)
  checkStorable('name', body.name, faults)
  const words = await readWords(deps, organisation_id, body)
  const shares = readShares(body.texts, faults)
  const channel = readChannel(body.channel, [])
  for (const one of words) if (table) checkColumns(table, channel, one, faults)
  const probe = sampleNumber(dialPlan(sender.default_country))
  const plan = await planEach(deps, sender, body, words, probe, faults)
  if (by_list && (!list || !column)) throw unknownSmartlist()

  const message = {
    ...pickPresent(plan, 'channel', 'sender_id', 'route_class'),
    ...pickPresent(body, 'external_ref', 'is_trackable', 'smart_encoding', 'callback'),
  }
  const texts = words.map(({ template, content }, n): CampaignText => {
    const made_of = template && { template_id: template.id, template_version: template.version }
    return { content: content ?? '', share: shares[n] ?? 0, ...made_of, ...present('whatsapp', template?.whatsapp) }
  })
  return {
    name: storable(body.name ?? nameOf(list?.name, texts[0]?.content ?? '')),
    smartlist_id: list?.id ?? null,
    filters,
    number: column?.first_number ?? null,
    message: storable(message),
    texts: storable(texts),
    send_at: plan.send_at ?? null,
    pace_per_hour: body.pace_per_hour ?? null,
    quiet_from: body.quiet_from ?? null,
    quiet_until: body.quiet_until ?? null,
    draft: null,
  }
}

/** The plan of the first text. The faults of all texts are reported together. */
async function planEach(
  deps: ComposeDeps,
  sender: Sender,
  body: Partial<CampaignBody>,
  words: readonly Words[],
  probe: string,
  faults: readonly Fault[],
) {
  const { smartlist_id: _list, content: _content, template_id: _template, ...shared } = body
  const all_faults = [...faults]
  const rules = { ...deps, closed_windows: 'skip' as const }
  const plans = []
  for (const { content, template_id, place } of words) {
    // Keep the faults of this text and of the shared fields.
    const own = all_faults.flatMap((fault) => asOwn(fault, place))
    const asked = { ...shared, ...present('content', content), ...present('template_id', template_id) }
    try {
      plans.push(await planMessage(rules, sender, { ...asked, recipients: probe }, own))
    } catch (refused) {
      if (!(refused instanceof Refusal) || refused.code !== 'invalid_request') throw refused
      for (const fault of refused.faults) pushNew(all_faults, { ...fault, field: withPlace(fault.field, place) })
    }
  }
  refuseIfFaulty(all_faults)
  const [first] = plans
  if (!first) throw new Error('A campaign without a text passed the check.')
  return first
}

const WORDS = ['content', 'template_id']

function withPlace(field: string, place: string): string {
  return place !== '' && WORDS.includes(field) ? `${place}.${field}` : field
}

function asOwn(fault: Fault, place: string): Fault[] {
  if (place === '' || !fault.field.startsWith('texts[')) return [fault]
  return fault.field.startsWith(`${place}.`) ? [{ ...fault, field: fault.field.slice(place.length + 1) }] : []
}

function pushNew(faults: Fault[], fault: Fault): void {
  if (!faults.some(({ field, type }) => field === fault.field && type === fault.type)) faults.push(fault)
}

/** A placeholder with a default needs no column. */
function checkColumns(table: OpenTable, channel: string, { content, template, place }: Words, faults: Fault[]): void {
  const field = withPlace(template ? 'template_id' : 'content', place)
  if (!template && faults.some((fault) => fault.field === field)) return
  for (const { name, default: fallback } of neededPlaceholders(channel, {
    content: content ?? '',
    whatsapp: template?.whatsapp,
  })) {
    if (fallback !== undefined || findColumn(table, name)) continue
    const message = `There is no column ${name} to fill the placeholder from.`
    faults.push({ field, message, type: 'unknown_placeholder' })
  }
}

function checkQuietHours({ quiet_from, quiet_until }: Partial<CampaignBody>, faults: Fault[]): void {
  if ((quiet_from === undefined) === (quiet_until === undefined)) return
  const field = quiet_from === undefined ? 'quiet_from' : 'quiet_until'
  if (faults.some((fault) => fault.field === 'quiet_from' || fault.field === 'quiet_until')) return
  faults.push({ field, message: 'Quiet hours have a beginning and an end.', type: 'missing' })
}

export function nameOf(list: string | undefined, content: string): string {
  return (list ?? content).trim().slice(0, NAME_CHARACTERS) || 'Campaign'
}

/** Removes lone surrogates, which PostgreSQL cannot store. */
export function storable<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_key, one: unknown) => (typeof one === 'string' ? withoutHalves(one) : one))
}
