import type { CarrierReport } from '../../carriers/message-carrier.ts'
import { keptId, meantIds, modeBetween, type LearnedMode } from '../../carriers/message-id.ts'
import type { Db } from '../../db/connect.ts'
import { newId } from '../../values/id.ts'
import { cached } from '../../values/concurrency/cached.ts'
import { readIdMode, saveIdMode } from './id-mode-store.ts'
import type { MatchedReport, NewReport } from './store.ts'

export type ReadIds = (reports: readonly CarrierReport[]) => Promise<NewReport[]>

const REMEMBERED_MS = 5_000
/** Digits a number must have to tell messages apart. */
const TELLING_DIGITS = 7

/**
 * Says which ids a report may mean. Until it is known how a carrier writes them, a report that could mean several is
 * believed only for the number it names; one that names none is taken by its word.
 */
export function makeReadIds({ db }: { db: Db }): ReadIds {
  const learnedOf = cached(REMEMBERED_MS, (carrier: string) => readIdMode(db, carrier))
  return async (reports) => {
    const learned_of = new Map<string, LearnedMode | undefined>()
    for (const { carrier, msg_id_mode } of reports) {
      if (msg_id_mode === 'auto' && !learned_of.has(carrier)) learned_of.set(carrier, await learnedOf(carrier))
    }
    return reports.map((report) => {
      const { carrier, carrier_message_id, msg_id_mode } = report
      const recipient = report.recipient?.replace(/\D/g, '')
      const learned = learned_of.get(carrier)
      const common = { ...report, ...(recipient ? { recipient } : {}), id: newId() }
      if (msg_id_mode === undefined) {
        const { other_ids = [] } = report
        return { ...common, keys: [carrier_message_id, ...other_ids], certain: 1, plain: other_ids.length === 0 }
      }
      const keys = meantIds(carrier_message_id, msg_id_mode, learned)
      const doubtful = keys.length > 1 && learned === undefined && (recipient?.length ?? 0) >= TELLING_DIGITS
      const plain = keys.length === 1 && keys[0] === keptId(carrier_message_id)
      return { ...common, keys, certain: doubtful ? 0 : 1, plain }
    })
  }
}

/** A report, and what it was found to speak of. */
type Told = {
  report: Pick<MatchedReport, 'carrier' | 'carrier_message_id'>
  found: Pick<MatchedReport, 'kept_id' | 'of_number'>
}

export type LearnIds = (matched: readonly Told[]) => Promise<void>

/** Reports in a row that must speak the same way before it counts as the carrier's. */
const ENOUGH = 5

/** Learns how carriers write ids from reports that found the message to the number they name. */
export function makeLearnIds({ db }: { db: Db }): LearnIds {
  const streaks = new Map<string, { mode: LearnedMode; length: number }>()
  return async (matched) => {
    for (const { report, found } of matched) {
      const { carrier, carrier_message_id } = report
      const { kept_id, of_number } = found
      const mode = of_number ? modeBetween(carrier_message_id, kept_id) : undefined
      if (mode === undefined) continue
      const before = streaks.get(carrier)
      const length = before?.mode === mode ? before.length + 1 : 1
      streaks.set(carrier, { mode, length })
      if (length === ENOUGH) await saveIdMode(db, carrier, mode)
    }
  }
}
