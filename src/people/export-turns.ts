import { Refusal } from '../values/refusal.ts'

/** So many at once in a process: each looks through everything an organisation has, and keeps a connection busy with it. */
const AT_ONCE = 3
const COME_BACK_S = 5

/** One export at a time for an organisation, and few over all of them: the others are told to come again. */
export type ExportTurns = (
  organisation_id: string,
  begin: () => Promise<AsyncGenerator<string>>,
) => Promise<AsyncGenerator<string>>

export function makeExportTurns(): ExportTurns {
  const writing = new Set<string>()
  return async (organisation_id, begin) => {
    if (writing.has(organisation_id) || writing.size >= AT_ONCE) {
      throw new Refusal('too_many_requests', 'Another export is being written. Please try again.', [], COME_BACK_S)
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

/** However it ends: read to the end, failed, or left by a reader who may not even have begun. */
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
