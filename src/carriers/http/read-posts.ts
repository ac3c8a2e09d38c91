import type { CarrierReport, KnownDelivery } from '../message-carrier.ts'
import { cleanDigits, dialPlan } from '../../values/phone/phone.ts'
import { shortText } from '../vendor-values.ts'
import { nameOf, numberedId, readRef } from './naming.ts'
import { postScopes, type Post, type PostScopes } from './post-scopes.ts'
import type { Preset, Verification } from './preset/schema.ts'
import { compileEntries, POST_ROOTS, reportOf } from './report.ts'
import type { HttpSettings } from './schema.ts'
import { compileOptouts, compileTexts, type TextContents } from './texts.ts'
import { compileVerification, readSources, type Verify } from './verify.ts'
import { compilePaths, readText, type ReportFault, type Scope } from './mapping/path.ts'

/** Our URL that received the post. */
export type Endpoint = 'reports' | 'texts'

/** Endpoint a post contains. */
export type PostContents = TextContents & {
  reports: CarrierReport[]
  known: KnownDelivery[]
  /** States that are not final, or that the preset does not know. */
  ignored: string[]
}

export type Reply = { type: string; text: string }

export type Posts = {
  has(endpoint: Endpoint): boolean
  /** Whether it comes from an allowed address and passes the preset's verifications. */
  isVerified(endpoint: Endpoint, post: Post, public_url: string): boolean
  read(endpoint: Endpoint, post: Post, public_url: string, default_country: string): PostContents
  reply(endpoint: Endpoint): Reply | undefined
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
  /** A verified post is read next: its parts are computed once. */
  const scopes = new WeakMap<Post, PostScopes>()
  function scopesOf(post: Post, public_url: string): PostScopes {
    const known = scopes.get(post) ?? postScopes(post, public_url, { options, credentials })
    scopes.set(post, known)
    return known
  }
  const has = (endpoint: Endpoint): boolean =>
    endpoint === 'reports' ? reports !== undefined : texts?.with_reports === false

  return {
    has,
    isVerified(endpoint, post, public_url) {
      if (!has(endpoint) || !from(post.ip)) return false
      const { signed } = scopesOf(post, public_url)
      return verify[endpoint].every((holds) => holds(signed))
    },
    read(endpoint, post, public_url, default_country) {
      const contents: PostContents = { reports: [], known: [], texts: [], optouts: [], ignored: [], skipped: 0 }
      const { entries: scope } = scopesOf(post, public_url)
      const country = settings.country ?? default_country
      if (endpoint === 'reports') readReports?.(scope, country, contents)
      if (endpoint === 'texts' || texts?.with_reports) {
        readTexts?.(scope, country, contents)
        readOptouts?.(scope, country, contents)
      }
      return contents
    },
    reply: (endpoint) => (endpoint === 'reports' ? reports?.reply : texts?.reply),
  }
}

type ReadInto = (scope: Scope, country: string, contents: PostContents) => void

/**
 * Reports are matched by the vendor's id, or by our reference if the vendor returns it. An id that several messages share
 * is matched together with the number.
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
  return (scope, country, contents) => {
    const plan = dialPlan(country)
    for (const entry of entries(scope)) {
      const ref = readRef(readText(entry.scope, refs))
      const id = entry.id ?? (ref && nameOf(ref))
      if (id === undefined) {
        contents.skipped += 1
        continue
      }
      // A report on one part says nothing about the others, so the delivery does not become known by it.
      if (ref && !(in_parts && ref.pages > 1)) {
        const { pages: _counted, ...delivery } = ref
        contents.known.push({ carrier, carrier_message_id: id, ...delivery, report_due_s })
      }
      const recipient = ref?.recipient ?? shortText(readText(entry.scope, recipients))
      const number = shared_id && recipient !== undefined ? cleanDigits(recipient, plan) : undefined
      const report =
        number === undefined
          ? reportOf(carrier, entry, id, recipient)
          : reportOf(carrier, entry, numberedId(id, number), number, [id])
      if (report) contents.reports.push(report)
      else contents.ignored.push(entry.word)
    }
  }
}
