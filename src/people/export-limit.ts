import { Refusal } from '../values/refusal.ts'

/** Concurrent exports per process: each scans all data of an organisation and keeps a connection busy. */
const MAX_EXPORTS = 3
const RETRY_AFTER_S = 5

/** Allows one export per organisation and few in all; further ones are refused with `too_many_requests`. */
export type ExportLimit = (
  organisation_id: string,
  begin: () => Promise<AsyncGenerator<string>>,
) => Promise<AsyncGenerator<string>>

export function makeExportLimit(): ExportLimit {
  const writing = new Set<string>()
  return async (organisation_id, begin) => {
    if (writing.has(organisation_id) || writing.size >= MAX_EXPORTS) {
      throw new Refusal('too_many_requests', 'Another export is being written. Please try again.', [], RETRY_AFTER_S)
    }
    writing.add(organisation_id)
    const end = (): void => void writing.delete(organisation_id)
    try {
      return endingWith(await begin(), end)
    } catch (fault) {
      end()
      throw fault
    }
  }
}

/** Calls `end` once the generator is exhausted, fails, or is closed by its reader. */
function endingWith(lines: AsyncGenerator<string>, end: () => void): AsyncGenerator<string> {
  const step = async (taken: Promise<IteratorResult<string>>): Promise<IteratorResult<string>> => {
    try {
      const result = await taken
      if (result.done) end()
      return result
    } catch (fault) {
      end()
      throw fault
    }
  }
  return {
    next: () => step(lines.next()),
    return: (value) => step(lines.return(value)),
    throw: (fault) => step(lines.throw(fault)),
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
