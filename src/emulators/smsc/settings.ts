import type { TextProfile } from '../../carriers/smpp/codec/page-form.ts'
import type { StatusName } from '../../carriers/smpp/codec/status.ts'

/** How our SMSC behaves. Shares are between 0 and 1; the same seed and the same submits give the same behaviour. */
export type SmscSettings = {
  host: string
  /** 0: any free one. */
  port: number
  /** PEM; null: plain TCP. */
  tls: { cert: string; key: string; ca?: string } | null
  /** Who may bind; null: anybody. */
  accounts: { system_id: string; password: string }[] | null
  /** Binds an account may hold at a time; one more is told RALYBND. */
  max_binds: number
  /** What it says it speaks; null: it says nothing, like a 3.3 one. */
  interface_version: number | null
  alphabet: TextProfile['alphabet']
  seed: number
  /** From and to: how long an answer takes. */
  latency_ms: Range
  /** Submits per second it takes from an account; what is more it answers with RTHROTTLED. Null: any number. */
  throughput: number | null
  /** Shares of submits answered with an error, and not taken. */
  errors: Partial<Record<StatusName, number>>
  /** Shares of submits instead of whose answer the connection is cut: before the text was taken, or after. */
  cut_before_share: number
  cut_after_share: number
  /** Share of submits that are taken and never answered. */
  silent_share: number
  reports: ReportSettings
  /** How long it waits for the answer to a deliver_sm, and then until it tries again. */
  deliver_timeout_ms: number
  deliver_retry_ms: number
  /** deliver_sm unanswered at a time on a connection. */
  deliver_window: number
  /** Texts kept for looking at; older ones are forgotten. */
  remember: number
}

export type ReportSettings = {
  delay_ms: Range
  /** Shares of reports that never come, come twice, come before the answer to their submit, come on another bind. */
  none_share: number
  twice_share: number
  early_share: number
  other_bind_share: number
  /** How ids are written in answers and in reports. */
  answer_id: IdForm
  report_id: IdForm
  /** `unflagged`: as text, without the flag in esm_class. */
  form: 'text' | 'tlv' | 'both' | 'unflagged'
  /** Words for the end and their weights, such as { DELIVRD: 9, UNDELIV: 1 }. */
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
