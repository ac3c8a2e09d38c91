import { makeKeyedBatchWriter } from '../../values/concurrency/batch-writer.ts'
import { makeBoundedCache } from '../../values/concurrency/bounded-cache.ts'
import { traceOf } from './ids.ts'

/** Reads the stored traces of those messages whose trace does not follow from their id. */
export type ReadTraces = (
  organisation_id: string,
  message_ids: readonly string[],
) => Promise<readonly { id: string; trace: string }[]>

type TraceCache = {
  note(message_id: string, trace: string | null): void
  /** Null: the trace that follows from the message id. */
  find(organisation_id: string, message_id: string): Promise<string | null>
}

const MAX_ENTRIES = 20_000
const MAX_READ = 500
/** Stands for null in the cache. */
const OWN_TRACE = ''

/**
 * Caches the traces of messages. Most steps of a message happen in the process that accepted or submitted it; for the
 * others the trace is read, in one query per organisation for concurrent requests.
 */
export function makeTraceCache(readTraces: ReadTraces): TraceCache {
  const traces = makeBoundedCache<string, string>(MAX_ENTRIES)
  const read = makeKeyedBatchWriter<string, string | null>({ items: MAX_READ }, readMany, () => true)

  function note(message_id: string, trace: string | null): void {
    traces.set(message_id, trace ?? OWN_TRACE)
  }

  /** If the query fails, the steps appear in the trace that follows from the message id. */
  async function readMany(organisation_id: string, ids: readonly string[]): Promise<(string | null)[]> {
    const rows = await readTraces(organisation_id, ids).catch(() => [])
    const found = new Map(rows.map(({ id, trace }) => [id, traceOf(trace)]))
    return ids.map((id) => found.get(id) ?? null)
  }

  return {
    note,
    async find(organisation_id, message_id) {
      const known = traces.get(message_id)
      if (known !== undefined) return known === OWN_TRACE ? null : known
      const trace = await read(organisation_id, message_id)
      note(message_id, trace)
      return trace
    },
  }
}
