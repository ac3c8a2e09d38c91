/** One bind, as its carrier's contract says. Times that a test wants short are settings too. */
export type BindSettings = {
  host: string
  port: number
  /** `pair` is a transmitter and a receiver side by side, for SMSCs without transceivers. */
  mode: 'transceiver' | 'transmitter' | 'receiver' | 'pair'
  system_id: string
  password: string
  system_type: string
  /** 0x34; old SMSCs want 0x33, some new ones 0x50. */
  interface_version: number
  addr_ton: number
  addr_npi: number
  address_range: string
  /** Requests in flight, 1 to 1,000. */
  window: number
  /** Submits per second on this bind, counted in segments; null: as many as the window lets through. */
  rate: number | null
  /** May we send optional parameters that only add to a text? `auto`: if the SMSC says that it speaks 3.4. */
  tlvs: 'auto' | 'always'
  tls: TlsSettings | null
  /** The address we call from, where the carrier lets in only known ones. */
  local_address: string | null
  connect_timeout_ms: number
  bind_timeout_ms: number
  /** For the answer to anything but a bind. A link whose `enquire_link` stays unanswered so long is given up. */
  response_timeout_ms: number
  /** After this long without a sign of the SMSC we ask whether it is there. */
  enquire_interval_ms: number
  partial_pdu_timeout_ms: number
  /** How long `stop` waits for answers on the way, and then for the answer to its unbind. */
  stop_wait_ms: number
  backoff: BackoffSettings
}

export type TlsSettings = {
  /** PEM; null: the authorities Node trusts. */
  ca: string | null
  cert: string | null
  key: string | null
  /** The name on the certificate, if it is not the host. */
  servername: string | null
  /** Talks to anybody who answers. For tests and for carriers that leave no choice. */
  insecure: boolean
}

export type BackoffSettings = {
  first_ms: number
  longest_ms: number
  /** After a refusal that only a person can mend: wrong name, wrong password. */
  credentials_ms: number
}

export const BIND_DEFAULTS = {
  mode: 'transceiver',
  system_type: '',
  interface_version: 0x34,
  addr_ton: 0,
  addr_npi: 0,
  address_range: '',
  window: 10,
  rate: null,
  tlvs: 'auto',
  tls: null,
  local_address: null,
  connect_timeout_ms: 30_000,
  bind_timeout_ms: 30_000,
  response_timeout_ms: 60_000,
  enquire_interval_ms: 30_000,
  partial_pdu_timeout_ms: 10_000,
  stop_wait_ms: 5_000,
  backoff: { first_ms: 1_000, longest_ms: 60_000, credentials_ms: 300_000 },
} as const satisfies Partial<BindSettings>
