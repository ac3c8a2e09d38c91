import { makeBatchWriter, type BatchWriter } from '../../values/concurrency/batch-writer.ts'
import { traceOf } from './ids.ts'

/** Which of the messages of an organisation are in a trace that their ids do not name, and in which. */
export type ReadTraces = (
  organisation_id: string,
  message_ids: readonly string[],
) => Promise<readonly { id: string; trace: string }[]>

type Known = {
  note(message_id: string, trace: string | null): void
  /** Null: the one its id names. */
  find(organisation_id: string, message_id: string): Promise<string | null>
}

const REMEMBERED = 10_000
const READ_AT_ONCE = 500

/**
 * What this process knows of messages' traces. Most steps of a message happen in the process that accepted it or handed
 * it over; for the others it is read, those that are asked for meanwhile together.
 */
export function makeKnownTraces(readTraces: ReadTraces): Known {
  // Two generations: to take the oldest out of one map costs more than all the rest of a span.
  let known = new Map<string, string | null>()
  let before = new Map<string, string | null>()
  const reads = new Map<string, BatchWriter<string, string | null>>()

  function note(message_id: string, trace: string | null): void {
    known.set(message_id, trace)
    if (known.size < REMEMBERED) return
    before = known
    known = new Map()
  }

  function readOf(organisation_id: string): BatchWriter<string, string | null> {
    let read = reads.get(organisation_id)
    if (!read) {
      read = makeBatchWriter(
        { items: READ_AT_ONCE },
        (ids) => readMany(organisation_id, ids),
        () => true,
      )
      if (reads.size >= REMEMBERED) reads.clear()
      reads.set(organisation_id, read)
    }
    return read
  }

  /** If it cannot be read, the step is told in the message's own trace. */
  async function readMany(organisation_id: string, ids: readonly string[]): Promise<(string | null)[]> {
    const rows = await readTraces(organisation_id, ids).catch(() => [])
    const traces = new Map(rows.map(({ id, trace }) => [id, traceOf(trace)]))
    return ids.map((id) => traces.get(id) ?? null)
  }

  return {
    note,
    async find(organisation_id, message_id) {
      const noted = known.has(message_id) ? known.get(message_id) : before.get(message_id)
      if (noted !== undefined) return noted
      const trace = await readOf(organisation_id)(message_id)
      note(message_id, trace)
      return trace
    },
  }
}
