import { createHash } from 'node:crypto'
import type { Db } from '../../db/connect.ts'
import { isDatabaseUnreachable } from '../../db/unreachable.ts'
import { makeBatchWriter } from '../../values/concurrency/batch-writer.ts'
import type { Log } from '../../values/log.ts'
import { makeJoiner } from '../inbound/inbound.ts'
import type { TakeOptouts, TakeReports, TakeTexts } from '../message-carrier.ts'
import type { Post } from './post-scopes.ts'
import type { Endpoint, PostContents, Reply } from './read-posts.ts'
import type { HttpSettings } from './schema.ts'
import { makeVendor } from './vendor.ts'

/** Receives the posts of HTTP carriers: reports, texts and opt-outs. */
export type VendorPosts = {
  has(carrier: string, endpoint: Endpoint): boolean
  /** Resolves with the reply once everything is stored; undefined if the post is not from the vendor. */
  receive(carrier: string, endpoint: Endpoint, post: Post): Promise<Reply | undefined>
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

/** Maximum reports per statement. */
const BATCH = 500
const MAX_LOGGED_STATES = 100
const DEFAULT_REPLY: Reply = { type: 'application/json; charset=utf-8', text: '{"status":"ok"}' }

export function makeVendorPosts(deps: Deps, carriers: readonly HttpSettings[]): VendorPosts {
  const vendors = new Map(carriers.map((settings) => [settings.name, makeVendor(settings, deps.public_url)]))
  const logged_states = new Set<string>()

  /** Most posts have one report: those that arrive during a write are stored together in the next one. */
  const storeReports = makeBatchWriter<PostContents>(
    { items: BATCH },
    async (posts) => {
      const [reports, known] = [posts.flatMap((post) => post.reports), posts.flatMap((post) => post.known)]
      for (let n = 0; n < Math.max(reports.length, known.length); n += BATCH) {
        await deps.takeReports(reports.slice(n, n + BATCH), known.slice(n, n + BATCH))
      }
    },
    isDatabaseUnreachable,
  )

  /** Logs each state once: a state that is not final comes with every message. */
  function logIgnored(carrier: string, { ignored, skipped }: PostContents): void {
    const states = [...new Set(ignored)].filter((state) => !logged_states.has(`${carrier} ${state}`))
    if (skipped > 0) deps.log.warn({ carrier, entries: skipped }, 'a carrier posted entries that could not be read')
    if (states.length === 0 || logged_states.size + states.length > MAX_LOGGED_STATES) return
    for (const state of states) logged_states.add(`${carrier} ${state}`)
    deps.log.info({ carrier, words: states }, 'states of a carrier that are not final')
  }

  return {
    has: (carrier, endpoint) => vendors.get(carrier)?.posts.has(endpoint) === true,

    async receive(carrier, endpoint, post) {
      const posts = vendors.get(carrier)?.posts
      if (!posts?.isVerified(endpoint, post, deps.public_url)) return undefined
      const contents = posts.read(endpoint, post, deps.public_url, deps.default_country)
      const has_reports = contents.reports.length > 0 || contents.known.length > 0
      await Promise.all([
        has_reports && storeReports(contents),
        storeTexts(deps, carrier, contents),
        deps.takeOptouts(contents.optouts),
      ])
      logIgnored(carrier, contents)
      return posts.reply(endpoint) ?? DEFAULT_REPLY
    },
  }
}

/** Complete texts are passed on; segments are stored until all of a text have arrived. */
async function storeTexts(deps: Deps, carrier: string, { texts }: PostContents): Promise<void> {
  const joiner = makeJoiner(deps, carrier)
  for (const { concatenation, from, to, text, received_id } of texts) {
    if (!concatenation) continue
    await joiner.take(from, to, { text, concatenation }, createHash('sha256').update(received_id).digest())
  }
  await deps.takeTexts(texts.filter(({ concatenation }) => !concatenation))
}
