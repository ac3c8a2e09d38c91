import type { Socket } from 'node:net'
import type { Wire } from '../carriers/smpp/session/wire.ts'
import { makeTokenBucket } from '../values/concurrency/token-bucket.ts'

/** The PDUs that may be read from all binds of an account or an organisation. */
export type ReadBudget = {
  spend(pdus: number): void
  readonly is_spent: boolean
  /** Calls back once the budget is refilled, in the order of registration, while it lasts. */
  onRefill(resume: () => void): void
}

/** Connections are paused for at least this long, and then read in one go: cheaper than PDU by PDU. */
const REFILL_MS = 100
const MIN_PDUS_PER_REFILL = 50
/** Each submit may be followed by the answer to its report; the rest is for PDUs that are refused. */
const PDUS_PER_SUBMIT = 4
/** A PDU counts once more in the budget of its organisation for each of these octets: long ones take longer to read. */
const LONG_PDU_OCTETS = 256
/** A client with more unread answers is not read from. */
const MAX_UNREAD_OCTETS = 262_144

export function makeReadBudget(submits_per_s: number): ReadBudget {
  const rate_per_s = Math.max((MIN_PDUS_PER_REFILL * 1_000) / REFILL_MS, submits_per_s * PDUS_PER_SUBMIT)
  const bucket = makeTokenBucket({ rate_per_s, burst_s: REFILL_MS / 1_000 })
  let waiting: (() => void)[] = []
  /** Until the next refill, even if tokens are back earlier: connections that wait must not be overtaken. */
  let is_spent = false

  function noteSpent(): void {
    if (is_spent || bucket.has()) return
    is_spent = true
    setTimeout(refill, REFILL_MS)
  }

  function refill(): void {
    is_spent = false
    noteSpent()
    const ready = waiting
    waiting = []
    while (ready.length > 0 && !is_spent) ready.shift()?.()
    waiting = [...ready, ...waiting]
  }

  return {
    spend(pdus) {
      bucket.take(pdus)
      noteSpent()
    },
    get is_spent() {
      return is_spent
    },
    onRefill: (resume) => void waiting.push(resume),
  }
}

export type ReadThrottle = {
  /** Counts a PDU that was read. */
  count(octets: number): void
  /** Sets the budgets, once the connection has bound. */
  setBudgets(of_account: ReadBudget, of_organisation: ReadBudget): void
  stop(): void
}

/**
 * Reads from a connection no faster than its budgets allow, whatever the PDUs are, and no faster than the client reads our
 * answers: a flood stays in the client's own socket buffers.
 */
export function makeReadThrottle(wire: Pick<Wire, 'hold' | 'release'>, socket: Socket): ReadThrottle {
  let account: ReadBudget | undefined
  let organisation: ReadBudget | undefined
  let held = false
  let stopped = false

  function resume(): void {
    if (stopped) return
    if (account?.is_spent) return account.onRefill(resume)
    if (organisation?.is_spent) return organisation.onRefill(resume)
    if (socket.writableLength > MAX_UNREAD_OCTETS) return void socket.once('drain', resume)
    held = false
    wire.release()
  }

  return {
    count(octets) {
      account?.spend(1)
      organisation?.spend(1 + Math.floor(octets / LONG_PDU_OCTETS))
      if (held || stopped) return
      if (!account?.is_spent && !organisation?.is_spent && socket.writableLength <= MAX_UNREAD_OCTETS) return
      held = true
      wire.hold()
      resume()
    },
    setBudgets(of_account, of_organisation) {
      account = of_account
      organisation = of_organisation
    },
    stop: () => void (stopped = true),
  }
}
