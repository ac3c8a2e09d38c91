import { startPeriodicJob } from '../values/concurrency/periodic-job.ts'
import type { Log } from '../values/log.ts'
import { moneyFromNumber, moneyToNumber } from '../values/money.ts'

/** Watches our balance at a vendor. */
export type BalanceWatch = {
  /** The vendor mentioned the balance elsewhere, for example in the answer to a purchase. */
  note(balance: bigint): void
  stop(): Promise<void>
}

const READ_EVERY_MS = 300_000
const RETRY_EVERY_MS = 30_000

/** Reads the balance every five minutes, measures it, and logs a warning when it falls below `low_balance`. */
export function watchBalance(
  { log, measure }: { log: Log; measure: (balance: number, is_low: boolean) => void },
  { vendor, low_balance = 0 }: { vendor: string; low_balance?: number | undefined },
  /** Undefined: the vendor did not answer. It is retried sooner. */
  read: () => Promise<bigint | undefined>,
): BalanceWatch {
  const limit = moneyFromNumber(low_balance) ?? 0n
  let was_low = false
  let read_at_ms = -Infinity

  function note(balance: bigint): void {
    const is_low = balance < limit
    measure(moneyToNumber(balance), is_low)
    if (is_low && !was_low)
      log.warn({ vendor, balance: moneyToNumber(balance), low_balance }, 'the balance at a vendor is low')
    was_low = is_low
  }

  async function readIfDue(): Promise<void> {
    if (Date.now() - read_at_ms < READ_EVERY_MS) return
    const balance = await read()
    if (balance === undefined) return
    read_at_ms = Date.now()
    note(balance)
  }

  const onFailure = (fault: unknown): void =>
    log.warn({ vendor, err: fault }, 'the balance at a vendor could not be read')
  const job = startPeriodicJob(RETRY_EVERY_MS, readIfDue, onFailure, { at_start: true })
  return { note, stop: () => job.stop() }
}
