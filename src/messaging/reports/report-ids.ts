import type { CarrierReport } from '../../carriers/message-carrier.ts'
import { meantIds, modeBetween, type LearnedMode } from '../../carriers/message-id.ts'
import type { Db } from '../../db/connect.ts'
import { newId } from '../../values/id.ts'
import { cached } from '../../values/concurrency/cached.ts'
import { readIdMode, saveIdMode } from './id-mode-store.ts'
import type { MatchedReport, NewReport } from './store.ts'

export type ReadIds = (reports: readonly CarrierReport[]) => Promise<NewReport[]>

const MODE_TTL_MS = 5_000
/** Shorter numbers do not identify a recipient. */
const MIN_NUMBER_DIGITS = 7

/**
 * Adds the stored ids that each report may refer to. Until the id format of a carrier is learned, an ambiguous report
 * matches only a message to the number it names; one without a number is taken literally.
 */
export function makeReadIds({ db }: { db: Db }): ReadIds {
  const learnedOf = cached(MODE_TTL_MS, (carrier: string) => readIdMode(db, carrier))
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
        return { ...common, keys: [carrier_message_id, ...other_ids], certain: 1 }
      }
      const keys = meantIds(carrier_message_id, msg_id_mode, learned)
      const doubtful = keys.length > 1 && learned === undefined && (recipient?.length ?? 0) >= MIN_NUMBER_DIGITS
      return { ...common, keys, certain: doubtful ? 0 : 1 }
    })
  }
}

type IdMatch = {
  report: Pick<MatchedReport, 'carrier' | 'carrier_message_id'>
  found: Pick<MatchedReport, 'kept_id' | 'of_number'>
}

export type LearnIds = (matched: readonly IdMatch[]) => Promise<void>

/** Consecutive reports in the same format after which it is stored as the carrier's. */
const STREAK = 5

/** Learns the id format of carriers from reports that were matched to the number they name. */
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
      if (length === STREAK) await saveIdMode(db, carrier, mode)
    }
  }
}
