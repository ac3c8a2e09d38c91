import { resumeCarrier } from '../../carriers/availability-store.ts'
import type { Db } from '../../db/connect.ts'
import { raiseLiveVersion } from '../../db/live-versions.ts'
import { transaction } from '../../db/transaction.ts'
import { recordAudit, type Actor } from '../../users/audit.ts'
import { isStorable } from '../../values/input/storable.ts'
import { present } from '../../values/record.ts'
import { Refusal, refuseIfFaulty, type Fault } from '../../values/refusal.ts'
import { answerTime, readMoment } from '../../values/time/moment.ts'
import type { OperatorPause, PauseKind, PauseMode } from './schema.ts'
import { MAX_REASON } from './schema.ts'
import { deletePause, listOperatorPauses, savePause, type PauseRow } from './store.ts'

/** What processes follow, see `live-versions.ts`. */
export const PAUSES = 'pauses'

type Subject = { kind: PauseKind; name: string }
const VERBS = { paused: 'pause', draining: 'drain' } as const

/** The pauses in effect, for the operator. */
export async function findPauses({ db }: { db: Db }): Promise<OperatorPause[]> {
  return (await listOperatorPauses(db)).map(shownPause)
}

/** Pauses a carrier or a route in all processes, or replaces the pause that it has. */
export async function pause(
  { db }: { db: Db },
  who: Actor,
  { kind, name }: Subject,
  wanted: { mode: PauseMode; reason: string; until?: string | undefined },
): Promise<OperatorPause> {
  const { mode } = wanted
  const { reason, until } = readWish(wanted)
  return transaction(db, async (tx) => {
    await raiseLiveVersion(tx, PAUSES) // before reading: changes of pauses run one after the other
    const before = (await listOperatorPauses(tx)).find((one) => one.kind === kind && one.name === name)
    await savePause(tx, { kind, name, mode, reason, actor: who.actor, until })
    await recordAudit(tx, who, {
      organisation_id: null,
      action: `${kind}.${VERBS[mode]}`,
      subject: name,
      before: before && { mode: before.mode, reason: before.reason, ...present('until', before.until) },
      after: { mode, reason, ...present('until', until) },
    })
    const saved = (await listOperatorPauses(tx)).find((one) => one.kind === kind && one.name === name)
    if (!saved) throw new Refusal('invalid_request', 'This time is over.')
    return shownPause(saved)
  })
}

/** Ends the pause of an operator, and for a carrier the one that it asked for. Refused if there is neither. */
export async function resume({ db }: { db: Db }, who: Actor, { kind, name }: Subject): Promise<void> {
  await transaction(db, async (tx) => {
    await raiseLiveVersion(tx, PAUSES)
    const before = (await listOperatorPauses(tx)).find((one) => one.kind === kind && one.name === name)
    const was_paused = await deletePause(tx, kind, name)
    const had_asked = kind === 'carrier' && (await resumeCarrier(tx, name))
    if (!was_paused && !had_asked) throw new Refusal('not_found', `The ${kind} ${name} is not paused.`)
    await recordAudit(tx, who, {
      organisation_id: null,
      action: `${kind}.resume`,
      subject: name,
      before: before
        ? { mode: before.mode, reason: before.reason }
        : { mode: 'paused', reason: 'asked by the carrier' },
    })
  })
}

function readWish({ reason: given, until }: { reason: string; until?: string | undefined }): {
  reason: string
  until: string | null
} {
  const faults: Fault[] = []
  const reason = given.trim()
  if (reason === '') faults.push({ field: 'reason', message: 'A reason is required.', type: 'missing' })
  if (reason.length > MAX_REASON) {
    faults.push({ field: 'reason', message: `At most ${MAX_REASON} characters.`, type: 'string_too_long' })
  }
  if (!isStorable(reason)) {
    faults.push({ field: 'reason', message: 'This value holds a character that cannot be stored.', type: 'invalid' })
  }
  const at = until === undefined ? undefined : readMoment(until)
  if (until !== undefined && at === undefined) faults.push({ field: 'until', message: NO_MOMENT, type: 'date_invalid' })
  if (at !== undefined && at <= Date.now()) {
    faults.push({ field: 'until', message: 'This time is over.', type: 'date_invalid' })
  }
  refuseIfFaulty(faults)
  return { reason, until: at === undefined ? null : answerTime(at) }
}

const NO_MOMENT = 'This is not a date-time with its offset, such as 2026-12-24T18:00:00+01:00.'

function shownPause({ kind, name, mode, reason, actor, created_datetime, until }: PauseRow): OperatorPause {
  return { kind, name, mode, reason, actor, created_datetime, ...present('until', until) }
}
