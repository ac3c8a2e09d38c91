import type { Db } from '../db/connect.ts'
import { csvLine } from '../values/csv-write.ts'
import { readPage } from '../values/page.ts'
import { pickPresent, present } from '../values/record.ts'
import { Refusal } from '../values/refusal.ts'
import { ERASED, type PseudonymOf } from '../values/secrets/pseudonym.ts'
import { INSTALLATION } from '../users/audit.ts'
import type { ProbeFilter, ProbePage, ProbeQuery, ShownProbe } from './schema.ts'
import { countProbes, listProbes, readProbe, type ProbeRow } from './store.ts'

const COUNTED_DAYS = 30
const PROBES_PER_READ = 1_000

/** Probes with what became of them, newest first. */
export async function findProbes({ db }: { db: Db }, query: ProbeQuery): Promise<ProbePage> {
  const since = new Date(Date.now() - COUNTED_DAYS * 86_400_000).toISOString()
  const [{ rows, pagination }, counts] = await Promise.all([
    listProbes(db, filterOf(query), readPage(query)),
    countProbes(db, since),
  ])
  return {
    probes: rows.map(shownProbe),
    counts: counts.filter(({ carrier }) => !query.carrier || carrier === query.carrier),
    pagination,
  }
}

export async function findProbe({ db }: { db: Db }, id: string): Promise<ShownProbe> {
  const row = await readProbe(db, id)
  if (!row) throw new Refusal('not_found', 'There is no such probe.')
  return shownProbe(row)
}

const HEAD = [
  'submitted',
  'carrier',
  'carrier_message_ids',
  'country',
  'operator',
  'number_hash',
  'sender',
  'text',
  'outcome',
  'outcome_reason',
  'report',
  'report_code',
  'reported',
  'arrived',
  'arrived_time',
  'seconds',
  'displayed_sender',
  'displayed_text',
  'plan',
] as const

/**
 * All probes of a filter as CSV, newest first, to be sent to a carrier. Numbers are hashed with the installation's key: a
 * carrier that knew them could deliver to them alone.
 */
export async function* exportProbes(
  { db, pseudonymOf }: { db: Db; pseudonymOf: PseudonymOf },
  filter: ProbeFilter,
): AsyncGenerator<string> {
  yield `\ufeff${csvLine(HEAD)}`
  for (let before: string | undefined; ;) {
    const { rows } = await listProbes(db, filterOf(filter), { page: 1, skip: 0, limit: PROBES_PER_READ, before })
    yield rows.map((row) => csvOf(pseudonymOf, row)).join('')
    before = rows.at(-1)?.id
    if (rows.length < PROBES_PER_READ) return
  }
}

function filterOf({ plan, carrier }: ProbeFilter): ProbeFilter {
  return { ...present('plan', plan || undefined), ...present('carrier', carrier || undefined) }
}

function csvOf(pseudonymOf: PseudonymOf, row: ProbeRow): string {
  return csvLine([
    row.submitted_datetime,
    row.carrier,
    row.carrier_message_ids.join(' '),
    row.country,
    row.operator,
    pseudonymOf(INSTALLATION, row.recipient).slice(ERASED.length),
    row.sender_id,
    row.text,
    row.outcome,
    row.outcome_reason ?? '',
    row.report ?? 'none',
    row.report_code ?? '',
    row.reported_datetime ?? '',
    row.arrived === null ? '' : row.arrived ? 'yes' : 'no',
    row.arrived_datetime ?? '',
    row.seconds === null ? '' : row.seconds.toFixed(1),
    row.displayed_sender ?? '',
    row.displayed === 'equal' ? row.text : (row.displayed_text ?? ''),
    row.plan,
  ])
}

function shownProbe({ seconds, ...row }: ProbeRow): ShownProbe {
  return {
    ...pickPresent(
      row,
      'id',
      'plan',
      'carrier',
      'country',
      'operator',
      'sender_id',
      'recipient',
      'text',
      'submitted_datetime',
      'outcome',
      'outcome_reason',
      'carrier_message_ids',
      'campaign_id',
      'report',
      'report_code',
      'reported_datetime',
      'arrived',
      'arrived_datetime',
      'displayed_sender',
      'displayed_text',
      'displayed',
    ),
    ...present('seconds', seconds === null ? undefined : Math.round(seconds * 10) / 10),
  }
}
