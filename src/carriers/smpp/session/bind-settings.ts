/** Settings of one bind, from the carrier's contract. Timeouts are settings so that tests can shorten them. */
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
  /** Whether to send optional parameters that a text does not require. `auto`: if the SMSC announces 3.4. */
  tlvs: 'auto' | 'always'
  tls: TlsSettings | null
  /** Local address to connect from, for carriers with an allow list. */
  local_address: string | null
  connect_timeout_ms: number
  bind_timeout_ms: number
  /** For the answer to anything but a bind. A link whose `enquire_link` stays unanswered this long is closed. */
  response_timeout_ms: number
  /** Idle time after which an `enquire_link` is sent. */
  enquire_interval_ms: number
  partial_pdu_timeout_ms: number
  /** How long `stop` waits for open answers, and then for the answer to its unbind. */
  stop_wait_ms: number
  backoff: BackoffSettings
}

export type TlsSettings = {
  /** PEM; null: the authorities Node trusts. */
  ca: string | null
  cert: string | null
  key: string | null
  /** The name in the certificate, if it is not the host. */
  servername: string | null
  /** Accepts any certificate. For tests, and for carriers without a valid one. */
  insecure: boolean
}

export type BackoffSettings = {
  first_ms: number
  longest_ms: number
  /** After a refusal that only an operator can fix: wrong system_id or password. */
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
