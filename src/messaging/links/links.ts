import { CALLBACK_QUEUE, enqueueCallbacks } from '../../callbacks/enqueue.ts'
import { hasReceiver } from '../../callbacks/formats/address.ts'
import type { Db } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import type { Meters } from '../../observe/meters.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import { makeBoundedCache } from '../../values/concurrency/bounded-cache.ts'
import { makeBatchWriter } from '../../values/concurrency/batch-writer.ts'
import { groupBy } from '../../values/group.ts'
import type { Log } from '../../values/log.ts'
import { addClicks, findTargets, markClicked, type Clicked, type Tally, type Target } from './click-store.ts'
import { isCode } from './codes.ts'
import { makeIsHuman, type Visit } from './is-human.ts'

/** Tracked links. */
export type Links = {
  /** The target of a code; undefined if there is none. A cached one is returned synchronously. */
  find(code: string): Target | Promise<Target | undefined> | undefined
  /** Counts a visit; it is stored within a quarter of a second. */
  count(target: Target, visit: Visit): void
  /** Stores the remaining counts. */
  stop(): Promise<void>
}

/** Cached links; a link is mostly opened within minutes after its message. */
const MAX_CACHED = 50_000
const WRITE_DELAY_MS = 250
const RETRY_DELAY_MS = 2_000
/** Links written in one transaction. */
const BATCH = 1_000
const LOOKUPS = { items: 500 }

export type LinksDeps = { db: Db; log: Log; meters: Meters; wakeups: Wakeups }

/**
 * Finds links and counts clicks. Visits are added up in memory and written in batches: a killed process loses the clicks of
 * its last quarter of a second (a first click among them is reported at the next one); an orderly stop loses none.
 */
export function makeLinks(deps: LinksDeps): Links {
  const isHuman = makeIsHuman()
  const targets = makeBoundedCache<string, Target>(MAX_CACHED)
  const lookUp = makeBatchWriter(LOOKUPS, async (codes: readonly string[]) => {
    const found = new Map((await findTargets(deps.db, codes)).map((target) => [target.code, target]))
    return codes.map((code) => found.get(code))
  })
  let tallies = new Map<string, Tally>()
  let delay_ms = WRITE_DELAY_MS
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()

  async function findStored(code: string): Promise<Target | undefined> {
    const target = await lookUp(code)
    if (target) targets.set(code, target)
    return target
  }

  /** Counts that cannot be written are added to the newer ones and retried. */
  async function write(): Promise<void> {
    timer = undefined
    delay_ms = WRITE_DELAY_MS
    const counted = tallies
    tallies = new Map()
    for (const [organisation_id, own] of groupBy([...counted.values()], (tally) => tally.organisation_id)) {
      for (let n = 0; n < own.length; n += BATCH) {
        const batch = own.slice(n, n + BATCH)
        try {
          await record(deps, organisation_id, batch)
        } catch (err) {
          deps.log.warn({ err, organisation_id, links: batch.length }, 'clicks could not be written; retrying')
          delay_ms = RETRY_DELAY_MS
          for (const { clicks, clicks_raw, ...target } of batch) add(target, clicks, clicks_raw)
        }
      }
    }
  }

  function add(target: Target, clicks: number, clicks_raw: number): void {
    const tally = tallies.get(target.code)
    if (tally) {
      tally.clicks += clicks
      tally.clicks_raw += clicks_raw
    } else {
      tallies.set(target.code, { ...target, clicks, clicks_raw })
    }
    timer ??= setTimeout(() => {
      writing = writing.then(write)
    }, delay_ms)
  }

  return {
    find(code) {
      return targets.get(code) ?? (isCode(code) ? findStored(code) : undefined)
    },
    count(target, visit) {
      if (visit.method !== 'GET') return
      const human = isHuman(visit)
      deps.meters.clicks.inc({ by: human ? 'person' : 'preview' })
      add(target, human ? 1 : 0, 1)
    },
    async stop() {
      clearTimeout(timer)
      writing = writing.then(write)
      await writing
      clearTimeout(timer) // no retry if the database is unreachable now
    },
  }
}

/** Stores clicks, and enqueues a callback for the first click of each recipient, in one transaction. */
async function record(deps: LinksDeps, organisation_id: string, tallies: readonly Tally[]): Promise<void> {
  const first = await transaction(deps.db, async (tx) => {
    await addClicks(
      tx,
      organisation_id,
      tallies.toSorted((a, b) => (a.code < b.code ? -1 : 1)),
    )
    const clicked = tallies.filter(({ clicks }) => clicks > 0)
    if (clicked.length === 0) return []
    // Of two links of a recipient the one clicked first.
    const url_of = new Map(clicked.toReversed().map((tally) => [keyOf(tally), tally.url]))
    const marked = await markClicked(tx, organisation_id, deliveriesOf(clicked))
    const events = marked.flatMap((one) => callbackOf(one, url_of.get(keyOf(one)) ?? ''))
    await enqueueCallbacks(tx, organisation_id, events)
    return events
  })
  if (first.length > 0) deps.wakeups.wake(CALLBACK_QUEUE)
}

/** Each delivery once, in the order in which every statement locks deliveries. */
function deliveriesOf(tallies: readonly Tally[]): { message_id: string; recipient: string }[] {
  const once = new Map(
    tallies.map((tally) => [keyOf(tally), { message_id: tally.message_id, recipient: tally.recipient }]),
  )
  return [...once].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, delivery]) => delivery)
}

function keyOf({ message_id, recipient }: { message_id: string; recipient: string }): string {
  return `${message_id} ${recipient}`
}

function callbackOf(clicked: Clicked, url: string) {
  const callback = clicked.callback !== null && hasReceiver(clicked.callback) ? clicked.callback : null
  if (callback === null && !clicked.has_webhooks) return []
  return [
    {
      type: 'text.clicked' as const,
      url: callback,
      subject_id: clicked.message_id,
      created_datetime: clicked.clicked_datetime,
      data: {
        id: clicked.message_id,
        recipient: clicked.recipient,
        status: clicked.status,
        channel: clicked.channel,
        sender_id: clicked.sender_id ?? undefined,
        external_ref: clicked.external_ref ?? undefined,
        url,
        clicked_datetime: clicked.clicked_datetime,
      },
    },
  ]
}
