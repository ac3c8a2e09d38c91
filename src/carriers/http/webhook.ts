import { createHash } from 'node:crypto'
import type { Db } from '../../db/connect.ts'
import { isDatabaseUnreachable } from '../../db/unreachable.ts'
import { makeBatchWriter } from '../../values/concurrency/batch-writer.ts'
import type { Log } from '../../values/log.ts'
import { makeJoiner } from '../inbound/inbound.ts'
import type { TakeOptouts, TakeReports, TakeTexts } from '../message-carrier.ts'
import type { Post } from './post.ts'
import type { News, Reply, What } from './posts.ts'
import type { HttpSettings } from './schema.ts'
import { makeVendor, type Vendor } from './vendor.ts'

export type VendorPosts = {
  has(carrier: string, what: What): boolean
  /** Resolves once everything is stored; undefined: it is not the vendor's. */
  take(carrier: string, what: What, post: Post): Promise<Reply | undefined>
}

type Deps = {
  db: Db
  log: Log
  takeReports: TakeReports
  takeTexts: TakeTexts
  takeOptouts: TakeOptouts
  public_url: string
  default_country: string
}

/** Reports in one statement at most. */
const BATCH = 500
const MOST_WORDS = 100

/** Where vendors with an HTTP interface report, and hand on what people write. */
export function makeVendorPosts(deps: Deps, carriers: readonly HttpSettings[]): VendorPosts {
  const vendors = new Map(carriers.map((settings) => [settings.name, makeVendor(settings, deps.public_url)]))
  const store = makeStore(deps)
  const told = new Set<string>()

  /** Each word once: what is on its way comes with every message. */
  function tellIgnored(carrier: string, { ignored, skipped }: News): void {
    const fresh = [...new Set(ignored)].filter((word) => !told.has(`${carrier} ${word}`))
    if (skipped > 0) deps.log.warn({ carrier, entries: skipped }, 'a carrier posted entries of no use')
    if (fresh.length === 0 || told.size + fresh.length > MOST_WORDS) return
    for (const word of fresh) told.add(`${carrier} ${word}`)
    deps.log.info({ carrier, words: fresh }, 'states of a carrier that end nothing')
  }

  return {
    has: (carrier, what) => vendors.get(carrier)?.posts.has(what) === true,
    async take(carrier, what, post) {
      const vendor = vendors.get(carrier)
      if (!vendor?.posts.isVendors(what, post, deps.public_url)) return undefined
      const news = vendor.posts.read(what, post, deps.public_url, deps.default_country)
      await Promise.all([store(news), takeTexts(deps, carrier, news), deps.takeOptouts(news.optouts)])
      tellIgnored(carrier, news)
      return replyOf(vendor, what)
    },
  }
}

/** Whole texts are handed on; segments are stored until all of a text are here. */
async function takeTexts(deps: Deps, carrier: string, { texts }: News): Promise<void> {
  const joiner = makeJoiner(deps, carrier)
  for (const { concatenation, from, to, text, received_id } of texts) {
    if (!concatenation) continue
    await joiner.take(from, to, { text, concatenation }, createHash('sha256').update(received_id).digest())
  }
  await deps.takeTexts(texts.filter(({ concatenation }) => !concatenation))
}

/** Most posts hold one report: those that come while others are being stored are stored together. */
function makeStore({ takeReports }: Deps): (news: News) => Promise<void> {
  const burst = makeBatchWriter<News, undefined>(
    { items: BATCH },
    async (posts) => {
      const [reports, known] = [posts.flatMap((post) => post.reports), posts.flatMap((post) => post.known)]
      for (let n = 0; n < Math.max(reports.length, known.length); n += BATCH) {
        await takeReports(reports.slice(n, n + BATCH), known.slice(n, n + BATCH))
      }
      return posts.map(() => undefined)
    },
    isDatabaseUnreachable,
  )
  return async (news) => {
    if (news.reports.length > 0 || news.known.length > 0) await burst(news)
  }
}

const REPLY: Reply = { type: 'application/json; charset=utf-8', text: '{"status":"ok"}' }

function replyOf({ posts }: Vendor, what: What): Reply {
  return posts.reply(what) ?? REPLY
}
