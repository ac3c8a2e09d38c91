import type { Socket } from 'node:net'
import type { Wire } from '../carriers/smpp/session/wire.ts'

/** PDUs that may be read in a slice of time: from one bind, or from all binds of an organisation. */
export type Allowance = {
  spend(): void
  readonly is_spent: boolean
  /** Calls back once there is more; those who wait are called in the order they came, while there is. */
  onMore(goOn: () => void): void
}

const SLICE_MS = 100
/** PDUs of a slice, however low the rate. */
const LEAST = 50
/** For each submit there may be an answer to its report, and some to spare for what is refused. */
const PER_SUBMIT = 4
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
    spend() {
      left -= 1
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
  let allowances: readonly Allowance[] = []
  let held = false
  let stopped = false

  function goOn(): void {
    if (stopped) return
    const spent = allowances.find(({ is_spent }) => is_spent)
    if (spent) return spent.onMore(goOn)
    if (socket.writableLength > MOST_UNREAD) return void socket.once('drain', goOn)
    held = false
    wire.release()
  }

  return {
    count() {
      for (const allowance of allowances) allowance.spend()
      if (held || stopped) return
      if (socket.writableLength <= MOST_UNREAD && !allowances.some(({ is_spent }) => is_spent)) return
      held = true
      wire.hold()
      goOn()
    },
    allow: (own, organisation) => void (allowances = [own, organisation]),
    stop: () => void (stopped = true),
  }
}

export type Brake = {
  /** A PDU was read. */
  count(): void
  /** Once it is known whose it is. */
  allow(own: Allowance, organisation: Allowance): void
  stop(): void
}
