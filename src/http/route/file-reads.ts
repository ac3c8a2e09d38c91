import { makeSemaphore } from '../../values/concurrency/semaphore.ts'

/** Parts of files read concurrently in a process, so that most database connections stay free for requests. */
const MAX_CONCURRENT_READS = 4

/** Wraps the lines of an organisation's file: each part is read under a permit. */
export type FileReads = <Part extends string | Buffer>(
  organisation_id: string,
  parts: AsyncGenerator<Part>,
) => AsyncGenerator<Part>

/**
 * Bounds the parts of files being read, in round robin over the organisations. A permit is held for one part, so a slow
 * client delays no other.
 */
export function makeFileReads(permits = MAX_CONCURRENT_READS): FileReads {
  const semaphore = makeSemaphore(permits)
  // Not a generator: `return` of one that was not started would not reach `lines`.
  return (organisation_id, lines) => ({
    next: () => semaphore.run(() => lines.next(), organisation_id),
    return: (value) => lines.return(value),
    throw: (fault) => lines.throw(fault),
    [Symbol.asyncIterator]() {
      return this
    },
  })
}
