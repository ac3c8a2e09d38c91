import { numberKey } from '../../carriers/message-id.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { connectionsOf } from '../../db/layout.ts'
import { madeAt } from '../../values/id.ts'
import type { LeasedDelivery } from '../intake/leased-row.ts'
import { countRows, recordIntake, type RecordedRows } from '../intake/store.ts'
import { settle } from '../settle/settle.ts'
import type { Change } from '../settle/store.ts'
import type { DeliverySource, Entries, RecorderDeps } from './recorder.ts'
import { recordTaken, storeSubmissionsApart, type Taken } from './store.ts'
import type { Sent, Unsent } from '../submission.ts'

/** Delay of a held delivery, which becomes a job: its carrier had capacity a moment ago. */
const HELD_DELAY_MS = 100
const NONE_TRIED: readonly string[] = []

/** First attempts: deliveries of the intake. Their messages and deliveries are inserted with the outcome. */
export function firstAttempts(deps: RecorderDeps, route: string): DeliverySource<LeasedDelivery> {
  return {
    organisationOf: ({ row }) => row.organisation_id,
    attemptOf(delivery) {
      const { row, expires_at_s } = delivery
      return {
        organisation_id: row.organisation_id,
        message_id: delivery.message_id,
        recipient: delivery.recipient,
        channel: delivery.channel,
        sender_id: delivery.sender_id,
        text: delivery.text,
        expires_in_s: expires_at_s === null ? null : expires_at_s - performance.now() / 1_000,
        // An interrupted delivery was attempted once by each process that claimed its row.
        attempt: delivery.interrupted ? row.claims : 1,
        pages: delivery.pages,
        sealed_text: delivery.sealed_text,
        tried: NONE_TRIED,
        whatsapp: delivery.whatsapp,
        is_binary: delivery.is_binary,
        promotional: delivery.promotional,
        opted_out: delivery.opted_out,
        interrupted: delivery.interrupted,
        possible_carrier: null,
        trace: delivery.trace,
      }
    },
    stepOf: ({ message_id, recipient, channel, sender_id, message }) => ({
      message_id,
      recipient,
      channel,
      sender_id,
      callback: message?.callback,
    }),
    held_delay_ms: HELD_DELAY_MS,
    store: (organisation_id, entries) => store(deps, route, organisation_id, entries),
    storeSent: (sent) => storeSent(deps, deps.db, route, sent),
  }
}

async function store(
  deps: RecorderDeps,
  route: string,
  organisation_id: string,
  { sent, unsent, taken }: Entries<LeasedDelivery>,
): Promise<void> {
  await storeSubmissionsApart(deps.db, organisation_id, sent.map(keysOf))
  const there = connectionsOf(deps.db, organisation_id)
  if (unsent.length === 0 && taken.length === 0) return storeSent(deps, there, route, sent)
  const rows = countRows([...sent, ...unsent])
  let sent_ms = 0
  if (taken.length === 0 && unsent.every(({ end }) => !end)) {
    sent_ms = (await recordIntake(there, route, rows, sent, unsent)).clock_ms
    deps.recent?.noteClock(organisation_id, sent_ms)
  } else {
    const write = async (tx: Tx): Promise<readonly Change[]> => {
      const { stored, clock_ms } = await recordIntake(tx, route, rows, sent, unsent)
      sent_ms = clock_ms // on a cluster the coordinator's
      const own = new Set(stored.map(({ delivery }) => delivery))
      const matchable = taken.filter((one) => own.has(one.delivery) || !isByNumber(one))
      await recordTaken(tx, organisation_id, matchable)
      return stored.flatMap(changeOf)
    }
    await settle(deps, organisation_id, write, async () => {})
  }
  noteRecorded(deps, route, rows, sent, sent_ms)
}

async function storeSent(
  deps: RecorderDeps,
  db: Db,
  route: string,
  sent: readonly Sent<LeasedDelivery>[],
): Promise<void> {
  const rows = countRows(sent)
  const { clock_ms } = await recordIntake(db, route, rows, sent, [])
  for (const { organisation_id } of rows.keys()) deps.recent?.noteClock(organisation_id, clock_ms)
  noteRecorded(deps, route, rows, sent, clock_ms)
}

function noteRecorded(
  deps: RecorderDeps,
  route: string,
  rows: RecordedRows,
  sent: readonly Sent<LeasedDelivery>[],
  sent_ms: number,
): void {
  for (const [row, { count }] of rows) {
    row.opened = true
    row.left -= count
  }
  const now = Date.now()
  for (const one of sent) {
    // The id has the time of the accepting process, whose clock may be ahead of ours.
    const by = { route, carrier: one.carrier }
    deps.meters.submit_latency.observe(by, Math.max(0, now - madeAt(one.delivery.message_id)) / 1_000)
    remember(deps, route, one, sent_ms)
  }
}

/** For reports that arrive soon. Messages of several segments are settled by the reports on each of them. */
function remember(
  { recent }: RecorderDeps,
  route: string,
  { delivery, carrier, ids, report_due_s }: Sent<LeasedDelivery>,
  sent_ms: number,
): void {
  const [id] = ids
  if (id !== undefined && ids.length === 1) recent?.note(carrier, id, { delivery, route, report_due_s, sent_ms })
}

function keysOf({ delivery: { message_id, recipient }, carrier, ids, report_due_s }: Sent<LeasedDelivery>) {
  return { carrier, message_id, recipient, ids, report_due_s }
}

function changeOf({ delivery: { message_id, recipient }, end }: Unsent<LeasedDelivery>): Change[] {
  return end ? [{ message_id, recipient, ...end }] : []
}

/** A delivery recorded by another process has that one's ids: matched by its number it would get the reports of others. */
function isByNumber({ recipient, ids }: Taken): boolean {
  return ids.some(({ carrier_message_id }) => carrier_message_id === numberKey(recipient))
}
