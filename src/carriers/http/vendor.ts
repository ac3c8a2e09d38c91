import type { JudgedMessage, OutgoingMessage } from '../message-carrier.ts'
import type { HttpRequest } from '../../values/http/client.ts'
import { addressesOf, type Addresses } from './addresses.ts'
import { ANSWER_ROOTS, compileAnswer, type ReadAnswer } from './answer.ts'
import { compileAuth, type WriteAuth } from './auth.ts'
import { messageScope, numberedId } from './naming.ts'
import { readPreset } from './preset/read.ts'
import type { Preset } from './preset/schema.ts'
import { compilePosts, type Posts } from './read-posts.ts'
import { compileEntries, type ReadEntries } from './report.ts'
import { compileRequest, type WriteRequest } from './request.ts'
import type { HttpSettings } from './schema.ts'
import { readSources } from './verify.ts'
import { compilePaths, type Path, type ReportFault, type Scope } from './mapping/path.ts'

/** A compiled preset with a carrier's credentials and options. */
export type Vendor = {
  name: string
  preset: Preset
  settings: HttpSettings
  addresses: Addresses
  limits: { rate_per_s: number | undefined; connections: number; timeout_ms: number; report_due_s: number }
  recipients: number
  auth: WriteAuth | undefined
  writeSend(messages: readonly OutgoingMessage[]): HttpRequest
  readAnswer: ReadAnswer
  posts: Posts
  /** Queries the state of a message by the vendor's id. */
  query:
    | { write(carrier_message_id: string, to: string): HttpRequest; read: ReadEntries; after_s: readonly number[] }
    | undefined
  balance: { write(): HttpRequest; amount: readonly Path[]; currency: readonly Path[] } | undefined
  /** Reports whether the one-time password of a message was verified; undefined: not wanted. */
  writeFeedback: ((judged: JudgedMessage) => HttpRequest) | undefined
  /** A harmless request that shows whether the credentials are right. */
  check: (() => HttpRequest) | undefined
}

/** All mistakes in a carrier's settings and its preset, with their positions. */
export function vendorFaults(settings: HttpSettings): string[] {
  return compileVendor(settings, 'http://localhost').faults
}

/** Throws if the settings have faults; `vendorFaults` lists them. */
export function makeVendor(settings: HttpSettings, public_url: string): Vendor {
  const { vendor, faults } = compileVendor(settings, public_url)
  if (!vendor) throw new Error(`${settings.name}: ${faults.join('; ')}`)
  return vendor
}

function compileVendor(settings: HttpSettings, public_url: string): { vendor?: Vendor; faults: string[] } {
  const read = readPreset(settings)
  if (!read.preset) return { faults: read.faults }
  const { preset } = read
  const faults = ownFaults(settings, preset)
  const file = settings.file ?? `presets/${settings.preset}.yaml`
  const reportFault: ReportFault = (place, fault) => void faults.push(`${file}: ${place}: ${fault}`)
  const { send, query, balance, check, feedback } = preset
  const { credentials } = settings
  const options = { ...preset.options, ...settings.options }
  const addresses = addressesOf(settings, preset, public_url)
  const carrier = { name: settings.name, report_url: addresses.reports, text_url: addresses.texts }
  const common: Scope = { credentials, options, carrier }
  const request = (given: Parameters<typeof compileRequest>[0] | undefined, place: string): WriteRequest | undefined =>
    given && compileRequest(given, place, reportFault)
  const writeSend = compileRequest(send, 'send', reportFault)
  const [asks, reads, checks] = [request(query, 'query'), request(balance, 'balance'), request(check, 'check')]
  const writesFeedback = request(feedback, 'feedback')
  if (settings.feedback && !feedback) faults.push(`feedback: ${preset.vendor} takes none`)
  const entries = query && compileEntries(query, ANSWER_ROOTS, 'query', reportFault)
  const at = (paths: string | string[] | undefined, name: string): Path[] =>
    compilePaths(paths, ANSWER_ROOTS, `balance.${name}`, reportFault)
  const { rate_per_s, connections, timeout_ms, report_due_h } = { ...preset.limits, ...ownLimits(settings) }
  const recipients = Math.min(settings.recipients ?? send.recipients, send.recipients)
  const report_due_s = 3_600 * report_due_h
  const posts = compilePosts({ settings, preset, options, report_due_s }, reportFault)
  const readAnswer = compileAnswer(send.answer, preset.vendor, reportFault)
  if (send.shared_id && query) reportFault('send.shared_id', 'has no query beside it: that would ask for many messages')
  const vendor: Vendor = {
    name: settings.name,
    preset,
    settings,
    addresses,
    limits: { rate_per_s, connections, timeout_ms, report_due_s },
    recipients,
    auth: compileAuth(preset.auth, common, reportFault),
    writeSend(messages) {
      const own = messages.map((message) =>
        messageScope(message, { report_url: addresses.reports ?? '', feedback: settings.feedback === true }),
      )
      return writeSend({ ...common, message: own[0], messages: own, all: { to: own.map(({ to }) => to) } })
    },
    readAnswer: send.shared_id ? withNumbers(readAnswer) : readAnswer,
    posts,
    query:
      query && asks && entries
        ? { write: (id, to) => asks({ ...common, message: { id, to } }), read: entries, after_s: query.after_s }
        : undefined,
    balance: balance &&
      reads && {
        write: () => reads(common),
        amount: at(balance.amount, 'amount'),
        currency: at(balance.currency, 'currency'),
      },
    writeFeedback:
      settings.feedback && writesFeedback
        ? ({ carrier_message_id: id, recipient: to, is_verified: verified, at_ms }) =>
            writesFeedback({ ...common, message: { id, to, verified, judged_time: utcTime(at_ms) } })
        : undefined,
    check: checks ? () => checks(common) : reads ? () => reads(common) : undefined,
  }
  return faults.length > 0 ? { faults } : { vendor, faults }
}

/** As `2026-11-19 18:05:09`. */
function utcTime(at_ms: number): string {
  return new Date(at_ms).toISOString().slice(0, 19).replace('T', ' ')
}

function withNumbers(readAnswer: ReadAnswer): ReadAnswer {
  return (messages, answer) =>
    readAnswer(messages, answer).map((verdict, n) => {
      const { recipient = '' } = messages[n] ?? {}
      return { ...verdict, ids: verdict.ids.map((id) => numberedId(id, recipient)) }
    })
}

/** The carrier's own limits, which take precedence over the preset's. */
function ownLimits({ rate_per_s, connections, timeout_ms, report_due_h }: HttpSettings): Partial<Preset['limits']> {
  return {
    ...(rate_per_s === undefined ? {} : { rate_per_s }),
    ...(connections === undefined ? {} : { connections }),
    ...(timeout_ms === undefined ? {} : { timeout_ms }),
    ...(report_due_h === undefined ? {} : { report_due_h }),
  }
}

/** Missing and unknown keys in the configuration file. */
function ownFaults({ credentials, options, networks }: HttpSettings, preset: Preset): string[] {
  const faults: string[] = []
  for (const [name, about] of Object.entries(preset.credentials)) {
    if (credentials[name] === undefined && typeof about === 'string') {
      faults.push(`credentials.${name}: ${preset.vendor} needs it: ${about}`)
    }
  }
  const unknown = (given_names: object, known: object, key: string): void => {
    for (const name of Object.keys(given_names)) {
      if (Object.hasOwn(known, name)) continue
      faults.push(`${key}.${name}: ${preset.vendor} has no such; it has ${Object.keys(known).join(', ') || 'none'}`)
    }
  }
  unknown(credentials, preset.credentials, 'credentials')
  unknown(options, preset.options, 'options')
  const sources = readSources(networks)
  if ('fault' in sources) faults.push(`networks: ${sources.fault}`)
  const url = options.base_url ?? preset.options.base_url
  if (url !== undefined && !/^https?:\/\/[^\s?#]+$/.test(url))
    faults.push('options.base_url: must be an http or https address')
  return faults
}
