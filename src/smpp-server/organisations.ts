import { makeSemaphore, type Semaphore } from '../values/concurrency/semaphore.ts'
import { makeTokenBucket, type TokenBucket } from '../values/concurrency/token-bucket.ts'
import { makeReadBudget, type ReadBudget } from './read-throttle.ts'
import type { SmppServerSettings } from './settings.ts'

/** Limits shared by all binds of an organisation in this process, over all of its accounts. */
export type Organisation = {
  /** Submits and queries. */
  readonly rate_per_s: number
  readonly bucket: TokenBucket
  /** PDUs of any kind. */
  readonly pdus: ReadBudget
  /** Runs a submit or query within the concurrency limit. Segments of one `text` run one after another. */
  run<T>(work: () => Promise<T>, text?: string): Promise<T>
  /** Submits and queries that are not answered yet, and their limit. */
  readonly unanswered: number
  readonly window_size: number
  /** Binds in this process, including those being admitted. */
  binds: number
}

/** The organisations with binds in this process, and the bind slots of the process. */
export type Organisations = {
  /** Undefined: no slot is free for this organisation. */
  reserveBind(organisation_id: string): Organisation | undefined
  releaseBind(organisation_id: string): void
  readonly binds: number
}

/** Statements of one organisation that run or wait for a connection; the others wait here, not in the pool. */
const MAX_CONCURRENT = 100
/** Binds per organisation once only reserved slots are left: a transmitter and a receiver. */
const BINDS_FROM_RESERVE = 2
const MAX_RESERVED_SHARE = 1 / 10

export function makeOrganisations({ limits }: SmppServerSettings): Organisations {
  const { binds, binds_per_organisation, binds_reserved } = limits
  const reserved = Math.min(binds_reserved, Math.floor(binds * MAX_RESERVED_SHARE))
  const organisations = new Map<string, Organisation>()
  let taken = 0
  return {
    reserveBind(organisation_id) {
      const organisation = organisations.get(organisation_id) ?? openOrganisation(limits)
      const most =
        binds - taken > reserved ? binds_per_organisation : Math.min(BINDS_FROM_RESERVE, binds_per_organisation)
      if (taken >= binds || organisation.binds >= most) return undefined
      organisations.set(organisation_id, organisation)
      organisation.binds += 1
      taken += 1
      return organisation
    },
    releaseBind(organisation_id) {
      const organisation = organisations.get(organisation_id)
      if (!organisation) return
      organisation.binds -= 1
      taken -= 1
      if (organisation.binds === 0) organisations.delete(organisation_id)
    },
    get binds() {
      return taken
    },
  }
}

function openOrganisation(limits: SmppServerSettings['limits']): Organisation {
  const rate_per_s = limits.rate_per_s_per_organisation
  const permits = makeSemaphore(MAX_CONCURRENT)
  const texts = new Map<string, Semaphore>()
  let unanswered = 0

  async function runInOrder<T>(text: string, work: () => Promise<T>): Promise<T> {
    const of_text = texts.get(text) ?? makeSemaphore(1)
    texts.set(text, of_text)
    try {
      return await of_text.run(work)
    } finally {
      if (of_text.size === 0) texts.delete(text)
    }
  }

  return {
    rate_per_s,
    bucket: makeTokenBucket({ rate_per_s }),
    pdus: makeReadBudget(rate_per_s),
    async run(work, text) {
      unanswered += 1
      try {
        return await (text === undefined ? permits.run(work) : runInOrder(text, () => permits.run(work)))
      } finally {
        unanswered -= 1
      }
    },
    get unanswered() {
      return unanswered
    },
    window_size: limits.window_per_organisation,
    binds: 0,
  }
}
