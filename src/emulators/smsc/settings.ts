import type { TextProfile } from '../../carriers/codec/page-form.ts'
import type { StatusName } from '../../carriers/codec/status.ts'

/** Behaviour of the emulated SMSC. Shares are between 0 and 1; the same seed and submits give the same behaviour. */
export type SmscSettings = {
  host: string
  /** 0: any free one. */
  port: number
  /** PEM; null: plain TCP. */
  tls: { cert: string; key: string; ca?: string } | null
  /** The accounts that may bind; null: any. */
  accounts: { system_id: string; password: string }[] | null
  /** Binds per account; one more is refused with RALYBND. */
  max_binds: number
  /** sc_interface_version of bind answers; null: none, like a 3.3 SMSC. */
  interface_version: number | null
  alphabet: TextProfile['alphabet']
  seed: number
  /** Latency of answers. */
  latency_ms: Range
  /** Submits per second and account; more are answered with RTHROTTLED. Null: unlimited. */
  throughput: number | null
  /** Shares of submits refused with each status. */
  errors: Partial<Record<StatusName, number>>
  /** Shares of submits whose connection is cut instead of an answer: before the text is accepted, or after. */
  cut_before_share: number
  cut_after_share: number
  /** Share of submits that are accepted and never answered. */
  silent_share: number
  reports: ReportSettings
  /** Timeout of a deliver_sm, and pause before its retry. */
  deliver_timeout_ms: number
  deliver_retry_ms: number
  /** Unanswered deliver_sm per connection. */
  deliver_window: number
  /** Texts, messages and undelivered deliver_sm kept; older ones are dropped. */
  remember: number
}

export type ReportSettings = {
  delay_ms: Range
  /** Shares of reports that are never sent, sent twice, sent before the answer to their submit, or sent on another bind. */
  none_share: number
  twice_share: number
  early_share: number
  other_bind_share: number
  /** Notation of ids in answers and in reports. */
  answer_id: IdForm
  report_id: IdForm
  /** `unflagged`: as text, without the receipt flag in esm_class. */
  form: 'text' | 'tlv' | 'both' | 'unflagged'
  /** Weights of final states, such as { DELIVRD: 9, UNDELIV: 1 }. */
  stats: Record<string, number>
}

export type Range = readonly [from: number, to: number]

export type IdForm = 'decimal' | 'hex' | 'upper_case' | 'zero_padded'

export const SMSC_DEFAULTS: SmscSettings = {
  host: '127.0.0.1',
  port: 0,
  tls: null,
  accounts: null,
  max_binds: 100,
  interface_version: 0x34,
  alphabet: 'gsm7',
  seed: 1,
  latency_ms: [0, 0],
  throughput: null,
  errors: {},
  cut_before_share: 0,
  cut_after_share: 0,
  silent_share: 0,
  reports: {
    delay_ms: [0, 0],
    none_share: 0,
    twice_share: 0,
    early_share: 0,
    other_bind_share: 0,
    answer_id: 'decimal',
    report_id: 'decimal',
    form: 'both',
    stats: { DELIVRD: 1 },
  },
  deliver_timeout_ms: 10_000,
  deliver_retry_ms: 1_000,
  deliver_window: 100,
  remember: 100_000,
}

export type SmscOptions = Partial<Omit<SmscSettings, 'reports'>> & { reports?: Partial<ReportSettings> }

export function smscSettings(options: SmscOptions, base: SmscSettings = SMSC_DEFAULTS): SmscSettings {
  return { ...base, ...options, reports: { ...base.reports, ...options.reports } }
}
