/**
 * Simulated time: the only place that converts it, and the agenda of everything that is due at a time. Equal times keep
 * their order.
 */
export type Clock = {
  /** Simulated milliseconds since the start. */
  now: () => number
  later(after_ms: number, work: () => void): void
  /** Works on the agenda. */
  readonly size: number
  stop(): void
}

/** Works done before other events of the process get their turn. */
const BATCH = 2_000
/** The longest delay of a timer of Node. */
const MAX_TIMER_MS = 2_147_483_647

/** Simulated time runs `acceleration` times as fast as real time. */
export function startClock(acceleration: number): Clock {
  const agenda = makeAgenda()
  const started = performance.now()
  let timer: NodeJS.Timeout | NodeJS.Immediate | null = null
  let wakes_at_ms = Infinity
  let is_stopped = false

  const now = () => (performance.now() - started) * acceleration

  function later(after_ms: number, work: () => void): void {
    agenda.add(now() + Math.max(0, after_ms), work)
    plan()
  }

  function plan(): void {
    const next_ms = agenda.next_ms
    if (is_stopped || next_ms >= wakes_at_ms) return
    cancel()
    wakes_at_ms = next_ms
    const real_ms = (next_ms - now()) / acceleration
    timer = real_ms < 1 ? setImmediate(wake) : setTimeout(wake, Math.min(MAX_TIMER_MS, real_ms))
  }

  function wake(): void {
    timer = null
    wakes_at_ms = Infinity
    for (let done = 0; done < BATCH && agenda.next_ms <= now(); done++) agenda.take()()
    plan()
  }

  function cancel(): void {
    if (timer === null) return
    if ('refresh' in timer) clearTimeout(timer)
    else clearImmediate(timer)
    timer = null
  }

  return {
    now,
    later,
    get size() {
      return agenda.size
    },
    stop() {
      is_stopped = true
      cancel()
    },
  }
}

type Entry = { at_ms: number; order: number; work: () => void }

/** A binary heap. */
export function makeAgenda() {
  const heap: Entry[] = []
  let order = 0

  const isBefore = (a: Entry, b: Entry) => a.at_ms < b.at_ms || (a.at_ms === b.at_ms && a.order < b.order)

  function add(at_ms: number, work: () => void): void {
    const entry = { at_ms, order: order++, work }
    let at = heap.push(entry) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!isBefore(entry, heap[parent]!)) break
      heap[at] = heap[parent]!
      at = parent
    }
    heap[at] = entry
  }

  /** The work that is due first. Not to be called when there is none. */
  function take(): () => void {
    const { work } = heap[0]!
    const last = heap.pop()!
    if (heap.length > 0) sink(last)
    return work
  }

  function sink(entry: Entry): void {
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++
      if (!isBefore(heap[child]!, entry)) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = entry
  }

  return {
    add,
    take,
    get next_ms() {
      return heap[0]?.at_ms ?? Infinity
    },
    get size() {
      return heap.length
    },
  }
}
