import type { CarrierReport, KnownDelivery } from '../message-carrier.ts'
import { cleanDigits, dialPlan } from '../../values/phone/phone.ts'
import { words } from '../vendor-words.ts'
import { compilePaths } from './fields.ts'
import { readText, type Scope } from './mapping/path.ts'
import type { ReportFault } from './mapping/template.ts'
import { nameOf, numberedId, readRef } from './naming.ts'
import { postScopes, type Post, type PostScopes } from './post.ts'
import type { Preset, Verification } from './preset/schema.ts'
import { compileEntries, POST_ROOTS, reportOf } from './report.ts'
import type { HttpSettings } from './schema.ts'
import { compileOptouts, compileTexts, type TextNews } from './texts.ts'
import { compileVerification, readSources, type Verify } from './verify.ts'

/** Which of our addresses it came to. */
export type What = 'reports' | 'texts'

/** What a post becomes. */
export type News = TextNews & {
  reports: CarrierReport[]
  known: KnownDelivery[]
  /** Words of the vendor that say nothing about the end, or that the preset does not know. */
  ignored: string[]
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

export function compilePosts({ settings, preset, options, report_due_s }: Compiled, reportFault: ReportFault): Posts {
  const { reports, texts, optouts } = preset
  const { credentials, name: carrier } = settings
  const sources = readSources(settings.networks)
  const from = 'fault' in sources ? () => false : sources
  const checks = (given: readonly Verification[] | undefined, place: string): Verify[] => {
    const found = (given ?? []).flatMap((one, n) => {
      return compileVerification(one, credentials, `${place}.verify.${n}`, reportFault) ?? []
    })
    if (given && found.length === 0)
      reportFault(place, 'cannot be verified: give one of the credentials that its verify names')
    return found
  }
  const verify = {
    reports: checks(reports?.verify, 'reports'),
    texts: checks(texts && !texts.with_reports ? (texts.verify ?? reports?.verify ?? []) : undefined, 'texts'),
  }
  const readReports = reports && compileReports(reports, preset.send, { carrier, report_due_s }, reportFault)
  const readTexts = texts && compileTexts(texts, carrier, reportFault)
  const readOptouts = optouts && compileOptouts(optouts, carrier, reportFault)
  if (optouts && !texts) reportFault('optouts', 'come to the address for texts, and there is none')
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
      const news: News = { reports: [], known: [], texts: [], optouts: [], ignored: [], skipped: 0 }
      const { entries: scope } = scopesOf(post, public_url)
      const country = settings.country ?? default_country
      if (what === 'reports') readReports?.(scope, country, news)
      if (what === 'texts' || texts?.with_reports) {
        readTexts?.(scope, country, news)
        readOptouts?.(scope, country, news)
      }
      return news
    },
    reply: (what) => (what === 'reports' ? reports?.reply : texts?.reply),
  }
}

type ReadInto = (scope: Scope, country: string, news: News) => void

/**
 * By the vendor's id, or where it gives our reference back by that. An id that several messages share counts with the
 * number; alone it may still mean a message sent before ids were kept with numbers.
 */
function compileReports(
  given: NonNullable<Preset['reports']>,
  { answer, shared_id }: Preset['send'],
  { carrier, report_due_s }: { carrier: string; report_due_s: number },
  reportFault: ReportFault,
): ReadInto {
  const entries = compileEntries(given, ROOTS, 'reports', reportFault)
  const refs = compilePaths(given.ref, ROOTS, 'reports.ref', reportFault)
  const recipients = compilePaths(given.recipient, ROOTS, 'reports.recipient', reportFault)
  if (given.id === undefined && given.ref === undefined) reportFault('reports', 'names neither an id nor a ref')
  const in_parts = answer.parts !== undefined
  return (scope, country, news) => {
    const plan = dialPlan(country)
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
      const recipient = ref?.recipient ?? words(readText(entry.scope, recipients))
      const number = shared_id && recipient !== undefined ? cleanDigits(recipient, plan) : undefined
      const report =
        number === undefined
          ? reportOf(carrier, entry, id, recipient)
          : reportOf(carrier, entry, numberedId(id, number), number, [id])
      if (report) news.reports.push(report)
      else news.ignored.push(entry.word)
    }
  }
}
