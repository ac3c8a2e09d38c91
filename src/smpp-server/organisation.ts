import { makeAllowance, type Allowance } from './brake.ts'
import { makeSemaphore, type Semaphore } from '../values/concurrency/semaphore.ts'
import { makeTokenBucket, type TokenBucket } from '../values/concurrency/token-bucket.ts'
import type { SmppServerSettings } from './settings.ts'

/** What all binds of an organisation in this process share: its accounts together get no more. */
export type Organisation = {
  /** Submits and queries. */
  readonly rate_per_s: number
  readonly bucket: TokenBucket
  /** PDUs of any kind. */
  readonly pdus: Allowance
  /** Carries out a submit or a query, some at a time. Segments of one `text` wait for each other here, not in the database. */
  run<T>(work: () => Promise<T>, text?: string): Promise<T>
  /** Submits and queries that are not answered. */
  readonly unanswered: number
  /** As many of them there may be. */
  readonly window_size: number
  /** Binds it has here, or is about to have. */
  binds: number
}

/** The statements of one organisation that may wait for a connection before those of another. */
const WORK_AT_A_TIME = 100

export function openOrganisation({ limits }: SmppServerSettings): Organisation {
  const permits = makeSemaphore(WORK_AT_A_TIME)
  const texts = new Map<string, Semaphore>()
  let unanswered = 0

  async function inOrder<T>(text: string, work: () => Promise<T>): Promise<T> {
    const line = texts.get(text) ?? makeSemaphore(1)
    texts.set(text, line)
    try {
      return await line.run(work)
    } finally {
      if (line.size === 0) texts.delete(text)
    }
  }

  return {
    async run(work, text) {
      unanswered += 1
      try {
        return await (text === undefined ? permits.run(work) : inOrder(text, () => permits.run(work)))
      } finally {
        unanswered -= 1
      }
    },
    get unanswered() {
      return unanswered
    },
    rate_per_s: limits.rate_per_s_per_organisation,
    bucket: makeTokenBucket({ rate_per_s: limits.rate_per_s_per_organisation }),
    pdus: makeAllowance(limits.rate_per_s_per_organisation),
    window_size: limits.window_per_organisation,
    binds: 0,
  }
}
