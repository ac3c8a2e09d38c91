/** Writes outcomes down, each organisation's in its own line, until they are written. */
type Recorder<Item> = {
  /** True once it is written; false when it was given up. Rejects where it cannot be written at all. */
  record(organisation_id: string, item: Item): Promise<boolean>
  /** Waits for no better moment: what is remembered is tried at once. */
  hurry(): void
  /** From now on what cannot be written at the first attempt is given up. */
  giveUp(): void
}

/** `again`: it was sent before, and may be written though nobody told us. */
export type Recorded<Item> = { item: Item; again: boolean }

type Waiting<Item> = Recorded<Item> & { resolve: (written: boolean) => void; reject: (fault: unknown) => void }
type Line<Item> = { waiting: Waiting<Item>[]; faults: number }

type RecorderOptions<Item> = {
  /** What comes within this time is written together, */
  every_ms: number
  /** at most so many. */
  items: number
  write: (organisation_id: string, items: readonly Recorded<Item>[]) => Promise<void>
  /** The fault lies with the database: the same may be written later. */
  isPassing: (fault: unknown) => boolean
  /** So many cannot be written at present, and are remembered; told once for each time the database is away. */
  onRemembered: (organisation_id: string, items: number, fault: unknown) => void
}

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 2_000

/**
 * What was told to a customer and could not be written is remembered, and written when the database is back: told again
 * because we forgot would be our fault, not the customer's. Each stays in the hands of its worker until then, and so
 * there are never more than the worker may have in hand; it claims nothing beyond.
 *
 * An organisation has one write at a time, and what comes meanwhile joins the next. So who writes knows what is written,
 * and a burst can be ended together with the last of it.
 */
export function makeRecorder<Item>(options: RecorderOptions<Item>): Recorder<Item> {
  const lines = new Map<string, Line<Item>>()
  const pauses = new Set<() => void>()
  let giving_up = false

  async function serve(organisation_id: string, line: Line<Item>): Promise<void> {
    while (line.waiting.length > 0) {
      if (line.waiting.length < options.items && line.faults === 0) await pause(options.every_ms)
      await writeOut(organisation_id, line, line.waiting.splice(0, options.items))
      if (line.faults > 0) await pause(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (line.faults - 1)))
    }
    lines.delete(organisation_id)
  }

  /** Never rejects: each learns its own outcome. */
  async function writeOut(organisation_id: string, line: Line<Item>, batch: Waiting<Item>[]): Promise<void> {
    try {
      await options.write(organisation_id, batch)
      line.faults = 0
      for (const { resolve } of batch) resolve(true)
    } catch (fault) {
      if (options.isPassing(fault)) remember(organisation_id, line, batch, fault)
      else if (batch.length === 1) for (const { reject } of batch) reject(fault)
      else for (const one of batch) await writeOut(organisation_id, line, [one])
    }
  }

  function remember(organisation_id: string, line: Line<Item>, batch: Waiting<Item>[], fault: unknown): void {
    if (giving_up) {
      for (const { resolve } of batch) resolve(false)
      return
    }
    if (line.faults === 0) options.onRemembered(organisation_id, batch.length, fault)
    line.faults += 1
    for (const one of batch) one.again = true
    line.waiting.unshift(...batch)
  }

  async function pause(ms: number): Promise<void> {
    if (giving_up) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(end, ms)
      function end(): void {
        clearTimeout(timer)
        pauses.delete(end)
        resolve()
      }
      pauses.add(end)
    })
  }

  function endPauses(): void {
    for (const end of pauses) end()
  }

  return {
    record(organisation_id, item) {
      return new Promise((resolve, reject) => {
        const waiting = { item, again: false, resolve, reject }
        const line = lines.get(organisation_id)
        if (line) return void line.waiting.push(waiting)
        const own = { waiting: [waiting], faults: 0 }
        lines.set(organisation_id, own)
        void serve(organisation_id, own)
      })
    },
    hurry: endPauses,
    giveUp() {
      giving_up = true
      endPauses()
    },
  }
}
