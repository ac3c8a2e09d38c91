import type { CarrierReport, KnownDelivery, ReceivedText } from '../message-carrier.ts'
import { cleanPhone, dialPlan } from '../../values/phone.ts'
import { words } from '../vendor-words.ts'
import { compilePath, compilePaths } from './fields.ts'
import { compileCondition } from './mapping/condition.ts'
import { readText, type Path, type Scope } from './mapping/path.ts'
import type { Told } from './mapping/template.ts'
import { nameOf, readRef } from './naming.ts'
import { postScopes, type Post, type PostScopes } from './post.ts'
import type { Preset, Verification } from './preset/schema.ts'
import { compileEntries, itemsOf, POST_ROOTS, reportOf } from './report.ts'
import type { HttpSettings } from './schema.ts'
import { compileVerification, readSources, type Verify } from './verify.ts'

/** Which of our addresses it came to. */
export type What = 'reports' | 'texts'

/** What a post becomes. */
export type News = {
  reports: CarrierReport[]
  known: KnownDelivery[]
  texts: ReceivedText[]
  /** Words of the vendor that say nothing about the end, or that the preset does not know. */
  ignored: string[]
  /** Entries that name no message, or nobody. */
  skipped: number
}

export type Reply = { type: string; text: string }

export type Posts = {
  has(what: What): boolean
  /** It comes from an address it may come from, and is signed as the preset says. */
  isVendors(what: What, post: Post, public_url: string): boolean
  read(what: What, post: Post, public_url: string, default_country: string): News
  reply(what: What): Reply | undefined
}

type Compiled = {
  settings: HttpSettings
  preset: Preset
  options: Readonly<Record<string, string>>
  report_due_s: number
}

const ROOTS = [...POST_ROOTS, 'options'] as const
const LONGEST_TEXT = 4_096

export function compilePosts({ settings, preset, options, report_due_s }: Compiled, told: Told): Posts {
  const { reports, texts } = preset
  const { credentials, name: carrier } = settings
  const sources = readSources(settings.networks)
  const from = 'fault' in sources ? () => false : sources
  const checks = (given: readonly Verification[] | undefined, place: string): Verify[] => {
    const found = (given ?? []).flatMap((one, n) => {
      return compileVerification(one, credentials, `${place}.verify.${n}`, told) ?? []
    })
    if (given && found.length === 0)
      told(place, 'cannot be verified: give one of the credentials that its verify names')
    return found
  }
  const verify = {
    reports: checks(reports?.verify, 'reports'),
    texts: checks(texts && !texts.with_reports ? (texts.verify ?? reports?.verify ?? []) : undefined, 'texts'),
  }
  const readReports = reports && compileReports(reports, preset.send, { carrier, report_due_s }, told)
  const readTexts = texts && compileTexts(texts, carrier, told)
  /** Whoever is verified is read next. */
  const scopes = new WeakMap<Post, PostScopes>()
  function scopesOf(post: Post, public_url: string): PostScopes {
    const known = scopes.get(post) ?? postScopes(post, public_url, { options, credentials })
    scopes.set(post, known)
    return known
  }
  const has = (what: What): boolean => (what === 'reports' ? reports !== undefined : texts?.with_reports === false)

  return {
    has,
    isVendors(what, post, public_url) {
      if (!has(what) || !from(post.ip)) return false
      const { signed } = scopesOf(post, public_url)
      return verify[what].every((holds) => holds(signed))
    },
    read(what, post, public_url, default_country) {
      const news: News = { reports: [], known: [], texts: [], ignored: [], skipped: 0 }
      const { entries: scope } = scopesOf(post, public_url)
      if (what === 'reports') readReports?.(scope, news)
      if (what === 'texts' || texts?.with_reports) readTexts?.(scope, settings.country ?? default_country, news)
      return news
    },
    reply: (what) => (what === 'reports' ? reports?.reply : texts?.reply),
  }
}

type ReadInto = (scope: Scope, news: News) => void

/** By the vendor's id, or where it gives our reference back by that. */
function compileReports(
  given: NonNullable<Preset['reports']>,
  { answer }: Preset['send'],
  { carrier, report_due_s }: { carrier: string; report_due_s: number },
  told: Told,
): ReadInto {
  const entries = compileEntries(given, ROOTS, 'reports', told)
  const refs = compilePaths(given.ref, ROOTS, 'reports.ref', told)
  const recipients = compilePaths(given.recipient, ROOTS, 'reports.recipient', told)
  if (given.id === undefined && given.ref === undefined) told('reports', 'names neither an id nor a ref')
  const in_parts = answer.parts !== undefined
  return (scope, news) => {
    for (const entry of entries(scope)) {
      const ref = readRef(readText(entry.scope, refs))
      const id = entry.id ?? (ref && nameOf(ref))
      if (id === undefined) {
        news.skipped += 1
        continue
      }
      // A report on one part says nothing about the others, so it does not make the whole known.
      if (ref && !(in_parts && ref.pages > 1)) {
        const { pages: _counted, ...delivery } = ref
        news.known.push({ carrier, carrier_message_id: id, ...delivery, report_due_s })
      }
      const report = reportOf(carrier, entry, id, ref?.recipient ?? words(readText(entry.scope, recipients)))
      if (report) news.reports.push(report)
      else news.ignored.push(entry.word)
    }
  }
}

type ReadTexts = (scope: Scope, country: string, news: News) => void

function compileTexts(given: NonNullable<Preset['texts']>, carrier: string, told: Told): ReadTexts {
  const at = (name: 'id' | 'from' | 'to' | 'text'): Path[] => compilePaths(given[name], ROOTS, `texts.${name}`, told)
  const each = compilePath(given.each, ROOTS, 'texts.each', told)
  const wanted = compileCondition(given.when, ROOTS, 'texts.when', told)
  const [id, from, to, text] = [at('id'), at('from'), at('to'), at('text')]
  return (whole, country, news) => {
    const plan = dialPlan(country)
    const number = (scope: Scope, paths: readonly Path[]): string | undefined => {
      const raw = words(readText(scope, paths))?.trim()
      return raw === undefined ? undefined : (cleanPhone(raw, plan) ?? raw.replace(/^\+/, ''))
    }
    for (const scope of itemsOf(whole, each)) {
      if (!wanted(scope)) continue
      const [received_id, sender, addressee] = [words(readText(scope, id)), number(scope, from), number(scope, to)]
      if (received_id === undefined || !sender || !addressee) {
        news.skipped += 1
        continue
      }
      const written = (readText(scope, text) ?? '').replaceAll('\u0000', '').slice(0, LONGEST_TEXT)
      news.texts.push({ carrier, from: sender, to: addressee, text: written, channel: 'sms', received_id })
    }
  }
}
