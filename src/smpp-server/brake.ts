import type { Socket } from 'node:net'
import type { Wire } from '../carriers/smpp/session/wire.ts'

/** PDUs that may be read in a slice of time, from all binds of an account or of an organisation. */
export type Allowance = {
  spend(pdus: number): void
  readonly is_spent: boolean
  /** Calls back once there is more; those who wait are called in the order they came, while there is. */
  onMore(goOn: () => void): void
}

const SLICE_MS = 100
/** PDUs of a slice, however low the rate. */
const LEAST = 50
/** For each submit there may be an answer to its report, and some to spare for what is refused. */
const PER_SUBMIT = 4
/** For each so many octets a PDU counts as one more among those of its organisation: long ones take longer to read. */
const LONG_PDU = 256
/** Octets sent to a client that it has not read: more, and it is not read from. */
const MOST_UNREAD = 262_144

export function makeAllowance(rate_per_s: number): Allowance {
  const budget = Math.max(LEAST, Math.ceil((rate_per_s * PER_SUBMIT * SLICE_MS) / 1_000))
  let left = budget
  let waiting: (() => void)[] = []
  let timer: NodeJS.Timeout | undefined

  function refill(): void {
    timer = undefined
    left = budget
    const ready = waiting
    waiting = []
    while (left > 0 && ready.length > 0) ready.shift()?.()
    waiting = [...ready, ...waiting]
    if (waiting.length > 0) timer ??= setTimeout(refill, SLICE_MS)
  }

  return {
    spend(pdus) {
      left -= pdus
      timer ??= setTimeout(refill, SLICE_MS)
    },
    get is_spent() {
      return left <= 0
    },
    onMore: (goOn) => void waiting.push(goOn),
  }
}

/**
 * Reads from a connection no faster than its allowances last, whatever the PDUs are, and no faster than the client reads
 * the answers: one that floods waits, in its own buffers, and costs the others nothing.
 */
export function makeBrake(wire: Pick<Wire, 'hold' | 'release'>, socket: Socket): Brake {
  let account: Allowance | undefined
  let organisation: Allowance | undefined
  let held = false
  let stopped = false

  function goOn(): void {
    if (stopped) return
    if (account?.is_spent) return account.onMore(goOn)
    if (organisation?.is_spent) return organisation.onMore(goOn)
    if (socket.writableLength > MOST_UNREAD) return void socket.once('drain', goOn)
    held = false
    wire.release()
  }

  return {
    count(octets) {
      account?.spend(1)
      organisation?.spend(1 + Math.floor(octets / LONG_PDU))
      if (held || stopped) return
      if (!account?.is_spent && !organisation?.is_spent && socket.writableLength <= MOST_UNREAD) return
      held = true
      wire.hold()
      goOn()
    },
    allow(of_account, of_organisation) {
      account = of_account
      organisation = of_organisation
    },
    stop: () => void (stopped = true),
  }
}

export type Brake = {
  /** A PDU of so many octets was read. */
  count(octets: number): void
  /** Once it is known whose it is. */
  allow(of_account: Allowance, of_organisation: Allowance): void
  stop(): void
}
