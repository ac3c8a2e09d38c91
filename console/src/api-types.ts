// Written by `npm run clients` from openapi.json.
import type {
  LedgerEntry,
  ListMeta,
  Pagination,
  RegisteredSender,
  RequestMeta,
} from '../../clients/typescript/src/types.ts'

export type Assertion = {
  id: string
  rawId: string
  type: 'public-key'
  response: {
    clientDataJSON: string
    authenticatorData: string
    signature: string
    userHandle?: string
  }
}

export type AssertionOptions = {
  challenge: string
  timeout: number
  rpId: string
  userVerification: 'required' | 'preferred'
}

export type Attention = {
  kind: 'carrier' | 'balance' | 'webhook' | 'sender' | 'key' | 'import'
  state: string
  name?: string
  id?: string
  detail?: string
  count?: number
  at?: string
}

export type AuditEntry = {
  id: string
  user_id?: string
  actor: string
  address?: string
  action: string
  subject?: string
  before?: Record<string, unknown>
  after?: Record<string, unknown>
  created_datetime: string
}

export type AuditPage = {
  entries: AuditEntry[]
  meta: ListMeta
}

export type Bind = {
  bind: number
  holder: string | null
  state: 'connecting' | 'binding' | 'bound' | 'waiting' | 'stopping' | 'stopped'
  updated_datetime: string
  figures: BindFigures | null
}

export type BindAnswer = {
  carrier: string
  bind: number
  holder: string | null
  state: 'connecting' | 'binding' | 'bound' | 'waiting' | 'stopping' | 'stopped'
  updated_datetime: string
  figures: BindFigures | null
  pdus: SeenPdu[] | null
  meta: RequestMeta
}

export type BindFigures = {
  state: 'connecting' | 'binding' | 'bound' | 'waiting' | 'stopping' | 'stopped'
  since: string
  reason: string | null
  retry_in_ms: number | null
  certificate_expires?: string
  window: number
  inflight: number
  waiting: number
  rate: number | null
  paused_ms: number
  submitted: number
  received: number
  latency_ms: {
    up_to: number | null
    count: number
  }[]
  errors: Record<string, number>
  last_error: {
    status: string
    at: string
  } | null
}

export type BindsAnswer = {
  carriers: BoundCarrier[]
  meta: RequestMeta
}

export type BlockedAnswer = {
  added: number
  entries: number
  meta: RequestMeta
}

export type BlockedEntry = {
  entry: string
  reason: string
  actor: string
  created_datetime: string
  expires_datetime?: string
  hits: number
  last_hit_datetime?: string
}

export type BlockedPage = {
  entries: BlockedEntry[]
  meta: ListMeta
}

export type BoundCarrier = {
  carrier: string
  kind: 'smpp'
  up: boolean
  binds: Bind[]
}

export type CallbackWithAttempts = {
  id: string
  /** The `webhook-id`: the same for every attempt and every endpoint of the event. */
  event_id: string
  /** The registered webhook; absent for the `callback` of a request. */
  webhook_id?: string
  type: string
  url: string
  /** `stopped`: the endpoint responded with 410, or its webhook was disabled or deleted. `failed`: all attempts within 24 hours failed. */
  status: 'pending' | 'delivered' | 'stopped' | 'failed'
  attempts: number
  /** The message or purchase of the event. */
  subject_id: string
  created_datetime: string
  updated_datetime?: string
  /** When a failed attempt is retried. Absent before the first attempt and after the last. */
  next_attempt_datetime?: string
  /** The posted body, byte for byte. */
  body: string
  attempts_log: {
    attempt: number
    /** Status code of the response. */
    status_code?: number
    /** Why there was no response. */
    reason?: string
    /** The first bytes of the response. */
    excerpt?: string
    duration_ms: number
    created_datetime: string
  }[]
}

export type CarrierState = {
  name: string
  kind: string
  state: 'up' | 'degraded' | 'down' | 'unknown'
  detail?: string
  addresses?: {
    reports?: string
    texts?: string
  }
}

export type CarriersAnswer = {
  carriers: CarrierState[]
  routes: {
    name: string
    channel: 'sms' | 'whatsapp'
    prefix: string
    country?: string
    operator?: string
    class: 'transactional' | 'promotional'
    carrier?: string
    carriers?: string[]
    rate_per_s?: number
    on_unknown: 'hold' | 'resend_otp' | 'fail'
    failover_after_s: number
    choose: 'order' | 'shares' | 'cheapest' | 'evidence'
    shares?: Record<string, number>
    evidence: {
      follow_percent: number
      tolerance: number
      explored_percent: number
      half_life_minutes: number
      least_percent?: Record<string, number>
      most_percent?: Record<string, number>
      seed?: number
    }
  }[]
  prices: {
    channel: 'sms' | 'whatsapp'
    prefix: string
    country?: string
    operator?: string
    class?: 'transactional' | 'promotional'
    price: number
  }[]
  vendors: {
    name: string
    kind: string
  }[]
  queues: {
    queue: string
    depth: number
    oldest_s: number
  }[]
  holds: Hold[]
  pauses: OperatorPause[]
  meta: RequestMeta
}

export type ChecklistAnswer = {
  first_message: boolean
  first_delivery: boolean
  first_callback: boolean
  first_otp: boolean
  first_contact: boolean
  first_key: boolean
  first_purchase: boolean
  meta: RequestMeta
}

export type ConfiguredEntry = {
  kind: 'carrier' | 'route'
  name: string
  managed_by: 'operator' | 'file' | 'default'
  version: number
  settings: Record<string, unknown>
  is_shadowed: boolean
  changed_datetime?: string
  changed_by?: string
}

export type CostAssignment = {
  carrier: string
  cost_list: string
  /** `submitted`: the carrier charges for what it accepts; `delivered`: only for what is delivered. */
  billed_on: 'submitted' | 'delivered'
  use_answers: boolean
  routes: string[]
}

export type CostAssignmentsAnswer = {
  assignments: CostAssignment[]
  currency: string
  meta: RequestMeta
}

export type DecidedSender = {
  sender: RegisteredSender
  meta: RequestMeta
}

export type EntriesAnswer = {
  entries: ConfiguredEntry[]
  needs_restart: boolean
  ends_sandbox: boolean
  meta: RequestMeta
}

export type EntryAnswer = {
  entry: ConfiguredEntry
  meta: RequestMeta
}

export type EntryChange = {
  kind: 'carrier' | 'route'
  name: string
  change: 'created' | 'updated' | 'deleted' | 'reordered'
  fields: {
    field: string
    before?: unknown
    after?: unknown
  }[]
}

export type EntryChangedAnswer = {
  entry: ConfiguredEntry
  needs_restart: boolean
  ends_sandbox: boolean
  meta: RequestMeta
}

export type EvidenceRowShown = {
  hour?: string
  carrier?: string
  country?: string
  operator?: string
  channel?: string
  class?: string
  /** Messages that the carrier accepted. */
  submitted: number
  /** Submissions that the carrier did not accept, by cause. `unanswered`: it may have accepted them. */
  rejected: {
    number: number
    recipient: number
    sender: number
    text: number
    temporary: number
    unanswered: number
    other: number
  }
  /** Reported as delivered. */
  delivered: number
  /** Reported as not delivered. */
  undelivered: number
  /** The report is overdue. */
  no_report: number
  /** Delivered, of those that were reported or whose report is overdue. */
  delivered_share?: number
  /** Reports by the time since the message was accepted: up to 0.5, 1, 2, 5, 10, 30, 60, 300, 1800 seconds, and longer. */
  report_times: {
    /** Absent: longer than the others. */
    up_to_s?: number
    count: number
  }[]
  /** One-time passwords that were verified. */
  verified: number
  /** Verified within a minute or later, of the one-time passwords submitted a minute ago or earlier. */
  verified_share?: number
  /** What the carrier charges, as far as it is known. */
  cost: number
  /** Messages for which the evidence advised another carrier, which was not followed. */
  advised: number
  /** What the advised carriers would have saved, as far as costs are known. */
  saved: number
  /** How many more messages the advised carriers would have delivered; of one-time passwords: verified. */
  gained: number
}

export type FoundByName = {
  campaigns: {
    id: string
    name: string
  }[]
  templates: {
    id: string
    name: string
  }[]
  smartlists: {
    id: string
    name: string
  }[]
  senders: {
    id: string
    name: string
  }[]
}

export type FoundMessage = {
  id: string
  channel: string
  sender_id?: string
  content?: string
  template_id?: string
  external_ref?: string
  created_datetime: string
  recipients: string[]
  recipients_total: number
  statuses: {
    scheduled?: number
    queued?: number
    sent?: number
    delivered?: number
    undelivered?: number
    expired?: number
    rejected?: number
    failed?: number
    unknown?: number
    canceled?: number
  }
  charge: number
  refunded?: number
  send_at?: string
  campaign?: {
    id: string
    name: string
    status: string
    messages?: number
  }
  match?: {
    recipient: string
    status:
      | 'scheduled'
      | 'queued'
      | 'sent'
      | 'delivered'
      | 'undelivered'
      | 'expired'
      | 'rejected'
      | 'failed'
      | 'unknown'
      | 'canceled'
    code?: string
    description?: string
    /** What you can do about a delivery that did not arrive, from the table of delivery codes. */
    advice?: string
  }
}

export type FoundMessages = {
  messages: FoundMessage[]
  meta: {
    method: string
    resource: string
    next_page: 'True' | 'False'
    query_id?: string
    searched_until?: string
  }
}

export type Get_console_api_airtime_networkAnswer = {
  network?: 'Airtel' | 'MTN' | 'Glo' | '9mobile' | 'NTEL'
  meta: RequestMeta
}

export type Get_console_api_evidenceAnswer = {
  since: string
  currency: string
  by: ('hour' | 'carrier' | 'country' | 'operator' | 'channel' | 'class')[]
  rows: EvidenceRowShown[]
  has_more: boolean
  meta: RequestMeta
}

export type Get_console_api_evidence_honestyAnswer = {
  since: string
  rows: HonestyRow[]
  has_more: boolean
  meta: RequestMeta
}

export type Get_console_api_marginsAnswer = {
  from: string
  until: string
  currency: string
  by: ('day' | 'organisation' | 'carrier' | 'country' | 'operator')[]
  totals: MarginFigures
  rows: MarginsRow[]
  has_more: boolean
  meta: RequestMeta
}

export type Get_console_api_probesAnswer = {
  plans: ShownPlan[]
  /** The carriers that can be probed. */
  carriers: string[]
  /** The operators that probe phones have numbers of. */
  operators: {
    country: string
    operator: string
    numbers: number
  }[]
  currency: string
  meta: RequestMeta
}

export type GuardAnswer = {
  prefixes: {
    organisation_id: string
    organisation_name: string
    /** Numbers without their last four digits. */
    prefix: string
    state: 'slowed' | 'blocked'
    /** OTPs sent there in the window. */
    sent: number
    /** How many of them were verified. */
    verified: number
    until_datetime: string
    created_datetime: string
    updated_datetime?: string
  }[]
  meta: RequestMeta
}

export type HistoryAnswer = {
  rules: PastRule[]
  meta: RequestMeta
}

export type Hold = {
  queue: string
  route: string
  carrier?: string
  reason: 'no_route' | 'not_served' | 'not_bound' | 'throttled' | 'paused' | 'draining' | 'rate' | 'refused' | 'waiting'
  detail: string
  count: number
  since?: string
  until?: string
}

export type HonestyRow = {
  carrier: string
  /** Absent: all countries and operators. */
  country?: string
  operator?: string
  /** One-time passwords that the carrier reported as delivered within ten seconds, at least five minutes ago, and probes that it reported as delivered. */
  otps: number
  /** Of these, verified, or arrived at the probe. */
  verified: number
  /** How many would have been verified or have arrived if the reports were as true as those of the other carriers, at the same operators in the same hours. Absent: no other carrier to compare with. */
  expected?: number
  /** Share of the reports `delivered` that are true, compared with the others; at most 1. */
  factor: number
  /** Lower bound of the factor. */
  low: number
  /** Upper bound of the factor; the bounds hold at all times, not only at one. */
  high: number
  /** Even the upper bound is below 1: the carrier reports deliveries that did not happen. */
  is_doubtful: boolean
  /** Share of the reports that arrived within a second. It proves nothing, but compare it. */
  fast_share?: number
  /** Reports `delivered` on numbers that another carrier reported as not in use within the hour. */
  contradicted: number
  /** Reports `delivered` on numbers that another carrier reported as reached within the hour. */
  confirmed: number
}

export type ImportAnswer = {
  version: number
  applied: boolean
  lines: number
  added: number
  raised: number
  lowered: number
  removed: number
  unchanged: number
  invalid: number
  columns: Record<string, string>
  headers: string[]
  faults: {
    line: number
    message: string
  }[]
  unknown_networks: number
  networks: {
    mcc_mnc: string
    country: string
    operator?: string
    line: number
  }[]
  below_cost: number
  below_cost_prices: {
    channel: 'sms' | 'whatsapp'
    route_class?: 'transactional' | 'promotional'
    prefix: string
    country?: string
    operator?: string
    /** The network as a file named it. */
    mcc_mnc?: string
    price: number
    carrier: string
    cost: number
  }[]
  changes: {
    kind: 'added' | 'raised' | 'lowered' | 'removed'
    channel: 'sms' | 'whatsapp'
    route_class?: 'transactional' | 'promotional'
    prefix: string
    country?: string
    operator?: string
    /** The network as a file named it. */
    mcc_mnc?: string
    before?: number
    price?: number
    valid_from?: string
  }[]
  meta: RequestMeta
}

export type Invited = {
  user: User
  invite_url: string
  expires_datetime: string
}

export type IssuedKey = {
  key: ShownKey
  secret: string
}

export type Keys = {
  keys: ShownKey[]
  meta: RequestMeta
}

export type ListAnswer = {
  price_list: PriceList
  meta: RequestMeta
}

export type ListedOrganisation = {
  id: string
  name: string
  test_id: string
  currency: string
  default_country: string
  default_sender_id?: string
  /** Its own choice, else that of its country’s capital. */
  time_zone: string
  low_balance?: number
  /** A message to more recipients is confirmed before it is sent. */
  confirm_above: number
  test_settings: {
    default_country: string
    default_sender_id?: string
    /** Its own choice, else that of its country’s capital. */
    time_zone: string
    low_balance?: number
    /** A message to more recipients is confirmed before it is sent. */
    confirm_above: number
  }
  balance: number
  test_balance: number
  suspended_datetime?: string
  requests_per_s?: number
  messages_per_s?: number
  credit_limit?: number
  created_datetime: string
  /** Messages accepted in the last 24 hours. */
  accepted_day?: number
  /** Its price list; absent: the default. */
  price_list?: string
}

export type ListedOtp = {
  /** Also the id of the message that carries it. */
  id: string
  recipient: string
  /** 1 SENT, 2 EXPIRED, 3 FAILED, 4 VERIFIED, 5 DELETED. */
  status: 1 | 2 | 3 | 4 | 5
  status_desc: 'SENT' | 'EXPIRED' | 'FAILED' | 'VERIFIED' | 'DELETED'
  created_datetime: string
  updated_datetime?: string
  attempts: number
  expires_datetime: string
}

export type ListsAnswer = {
  price_lists: PriceList[]
  currency: string
  meta: RequestMeta
}

export type MarginFigures = {
  /** Accepted by a carrier, or still with us. */
  deliveries: number
  pages: number
  /** What was charged, minus refunds. */
  revenue: number
  /** What the carriers charge, as far as it is known. */
  cost: number
  /** Revenue minus cost, of the deliveries whose cost is known: `revenue_without_cost` is not part of it. */
  margin: number
  /** Margin by the revenue of the deliveries whose cost is known. Absent if there is none. */
  margin_rate?: number
  /** Deliveries whose cost is not known. */
  without_cost: number
  /** The part of the revenue that is theirs. */
  revenue_without_cost: number
}

export type MarginsRow = {
  day?: string
  organisation_id?: string
  name?: string
  carrier?: string
  country?: string
  operator?: string
  /** Accepted by a carrier, or still with us. */
  deliveries: number
  pages: number
  /** What was charged, minus refunds. */
  revenue: number
  /** What the carriers charge, as far as it is known. */
  cost: number
  /** Revenue minus cost, of the deliveries whose cost is known: `revenue_without_cost` is not part of it. */
  margin: number
  /** Margin by the revenue of the deliveries whose cost is known. Absent if there is none. */
  margin_rate?: number
  /** Deliveries whose cost is not known. */
  without_cost: number
  /** The part of the revenue that is theirs. */
  revenue_without_cost: number
}

export type MessageAnswer = {
  message: {
    id: string
    channel: string
    sender_id?: string
    content?: string
    template_id?: string
    external_ref?: string
    created_datetime: string
    recipients: string[]
    recipients_total: number
    statuses: {
      scheduled?: number
      queued?: number
      sent?: number
      delivered?: number
      undelivered?: number
      expired?: number
      rejected?: number
      failed?: number
      unknown?: number
      canceled?: number
    }
    charge: number
    refunded?: number
    send_at?: string
    campaign?: {
      id: string
      name: string
      status: string
      messages?: number
    }
  }
  deliveries: ShownDelivery[]
  meta: ListMeta
}

export type NewPasskey = {
  passkey: Passkey
  recovery_codes: string[]
}

export type OpenSession = {
  id: string
  current: boolean
  address?: string
  user_agent?: string
  created_datetime: string
  seen_datetime: string
  expires_datetime: string
}

export type OpenSessions = {
  sessions: OpenSession[]
}

export type OperatorChangesAnswer = {
  changes: EntryChange[]
  applied: boolean
  needs_restart: boolean
  ends_sandbox: boolean
  meta: RequestMeta
}

export type OperatorPause = {
  kind: 'carrier' | 'route'
  name: string
  mode: 'paused' | 'draining'
  reason: string
  actor: string
  created_datetime: string
  until?: string
}

export type OrganisationAnswer = {
  organisation: ShownOrganisation
}

export type Organisations = {
  organisations: ListedOrganisation[]
  meta: {
    method: string
    resource: string
    pagination?: Pagination
  }
}

export type OtpPage = {
  otps: ListedOtp[]
  meta: ListMeta
}

export type Overview = {
  range: 'hour' | 'day' | 'month'
  step_s: number
  currency: string
  balance: number
  now: {
    messages_per_minute: number
    queue_depth: number
    queue_depth_capped: boolean
  }
  totals: {
    accepted: number
    delivered: number
    undelivered: number
    expired: number
    rejected: number
    failed: number
    unknown: number
    otp_sent: number
    otp_verified: number
    spend: number
    refunds: number
    delivery_rate?: number
    otp_conversion?: number
  }
  previous: {
    accepted: number
    delivered: number
    undelivered: number
    expired: number
    rejected: number
    failed: number
    unknown: number
    otp_sent: number
    otp_verified: number
    spend: number
    refunds: number
    delivery_rate?: number
    otp_conversion?: number
  }
  series: {
    time: number[]
    accepted: number[]
    delivered: number[]
    failed: number[]
    spend: number[]
    otp_sent: number[]
    otp_verified: number[]
  }
  carriers?: CarrierState[]
  attention: Attention[]
  meta: RequestMeta
}

export type Passkey = {
  id: string
  name: string
  host: string
  usable: boolean
  backed_up: boolean
  created_datetime: string
  used_datetime?: string
}

export type PasskeyAnswer = {
  options: AssertionOptions
}

export type PasskeyProposal = {
  options: RegistrationOptions
}

export type Passkeys = {
  passkeys: Passkey[]
}

export type PastRule = {
  /** Identifies what the rule applies to. */
  target: string
  channel: 'sms' | 'whatsapp'
  route_class?: 'transactional' | 'promotional'
  prefix: string
  country?: string
  operator?: string
  /** The network as a file named it. */
  mcc_mnc?: string
  price?: number
  valid_from?: string
  scheduled: boolean
  actor: string
  created_datetime: string
  withdrawn_by?: string
  withdrawn_datetime?: string
}

export type Patch_console_api_probes__nameAnswer = {
  plan: ShownPlan
  meta: RequestMeta
}

export type PauseAnswer = {
  pause: OperatorPause
  meta: RequestMeta
}

export type PhonesAnswer = {
  carriers: ShownPhoneCarrier[]
  meta: RequestMeta
}

export type Post_console_api_probesAnswer = {
  plan: ShownPlan
  meta: RequestMeta
}

export type Post_console_api_probes__name_runAnswer = {
  probe: ShownProbe
  meta: RequestMeta
}

export type PresetsAnswer = {
  presets: {
    name: string
    vendor: string
    credentials: {
      name: string
      about: string
      is_optional: boolean
    }[]
    options: {
      name: string
      value: string
    }[]
  }[]
  meta: RequestMeta
}

export type PriceChange = {
  version: number
  kind: 'set' | 'import' | 'undo'
  actor: string
  file_name?: string
  added: number
  raised: number
  lowered: number
  removed: number
  undone_by?: number
  created_datetime: string
}

export type PriceList = {
  name: string
  kind: 'price' | 'cost'
  managed_by: 'operator' | 'file'
  is_default: boolean
  /** Of messages whose price is below the cost of the first carrier of their route: `warn` counts them in a metric, `refuse` also refuses them. */
  below_cost: 'allow' | 'warn' | 'refuse'
  otp_per_request?: number
  otp_per_verified?: number
  airtime_commission?: number
  version: number
  rules: number
  organisations: number
  carriers?: string[]
  changed_datetime?: string
  changed_by?: string
}

export type PriceRule = {
  /** Identifies what the rule applies to. */
  target: string
  channel: 'sms' | 'whatsapp'
  route_class?: 'transactional' | 'promotional'
  prefix: string
  country?: string
  operator?: string
  /** The network as a file named it. */
  mcc_mnc?: string
  price?: number
  valid_from?: string
  scheduled: boolean
}

export type PricesChangesAnswer = {
  changes: PriceChange[]
  meta: RequestMeta
}

export type ProbeCounts = {
  carrier: string
  country: string
  operator: string
  delivered: number
  arrived: number
}

export type ProbePage = {
  probes: ShownProbe[]
  counts: ProbeCounts[]
  meta: ListMeta
}

export type RecoveryCodes = {
  recovery_codes: string[]
}

export type RegistrationOptions = {
  challenge: string
  timeout: number
  rp: {
    id: string
    name: string
  }
  user: {
    id: string
    name: string
    displayName: string
  }
  pubKeyCredParams: {
    type: 'public-key'
    alg: number
  }[]
  attestation: 'none'
  authenticatorSelection: {
    residentKey: 'required'
    requireResidentKey: true
    userVerification: 'preferred'
  }
  excludeCredentials: {
    type: 'public-key'
    id: string
  }[]
}

export type ReviewAnswer = {
  purchases: {
    organisation_id: string
    organisation_name: string
    id: string
    network: 'Airtel' | 'MTN' | 'Glo' | '9mobile' | 'NTEL'
    recipient: string
    amount: number
    external_ref?: string
    vendor: string
    reference: string
    vendor_purchase_id?: string
    code?: string
    vendor_description?: string
    created_datetime: string
    review_datetime: string
  }[]
  meta: RequestMeta
}

export type RotatedKey = {
  key: ShownKey
  secret: string
  old: ShownKey
}

export type RuleSetAnswer = {
  version: number
  changed: boolean
  meta: RequestMeta
}

export type RulesPage = {
  rules: PriceRule[]
  meta: ListMeta
}

export type SavedView = {
  id: string
  name: string
  query: {
    q?: string
    status?: string
    range?: string
    from?: string
    until?: string
  }
  created_datetime: string
}

export type SavedViews = {
  views: SavedView[]
}

export type SeenPdu = {
  direction: 'in' | 'out'
  at: string
  command: string
  command_status: string
  sequence_number: number
  bytes: number
  from?: string
  to?: string
  message_id?: string
  esm_class?: number
  data_coding?: number
  length?: number
  tlvs?: string[]
}

export type SendersAnswer = {
  senders: {
    organisation_id: string
    organisation_name: string
    id: string
    /** The sender shown on the phone: 1–11 letters, digits, blanks or `-_.&`. Digits are a short code, or a number with its country code (up to 15 digits), which receives inbound texts. Case-insensitive. */
    sender_id: string
    /** The decision of the operator. In live mode only approved senders are used. */
    state: 'pending' | 'approved' | 'rejected'
    /** The class it is registered for with the networks. */
    class: 'transactional' | 'promotional'
    /** For the operator: purpose and owner of the name. */
    note?: string
    /** The reason of the decision. */
    reason?: string
    created_datetime: string
    updated_datetime?: string
  }[]
  meta: RequestMeta
}

export type Session = {
  user: User
  csrf_token: string
  organisations: ShownOrganisation[]
  rights: Record<string, 'change' | 'read' | 'none'>
  passwords: boolean
  sandbox: boolean
  public_url: string
  short_link: string
  version: string
  notices: {
    key: string
    message: string
  }[]
}

export type SettledAnswer = {
  id: string
  /** `pending → sent → success | failed`, or `pending → failed | duplicate | error`. The last four are final; all but `success` are refunded. */
  status: 'pending' | 'sent' | 'failed' | 'error' | 'success' | 'duplicate'
  refunded: boolean
  meta: RequestMeta
}

export type ShownDelivery = {
  recipient: string
  /** The text of this recipient, if it differs from the content: of a template, or with tracked links. */
  text?: string
  status:
    | 'scheduled'
    | 'queued'
    | 'sent'
    | 'delivered'
    | 'undelivered'
    | 'expired'
    | 'rejected'
    | 'failed'
    | 'unknown'
    | 'canceled'
  /** The carrier's code. */
  code?: string
  description?: string
  /** What you can do about a delivery that did not arrive, from the table of delivery codes. */
  advice?: string
  /** Pages of the text to this recipient. */
  pages: number
  charge: number
  refunded: boolean
  /** The scheduled time, if it was delayed. */
  send_at?: string
  /** Clicks of people. With `is_trackable` only. */
  clicks?: number
  /** Clicks including previews and bots. With `is_trackable` only. */
  clicks_raw?: number
  created_datetime: string
  updated_datetime?: string
  /** On WhatsApp: when the recipient read it, if they report that. */
  read_datetime?: string
  /** On WhatsApp: the category by which Meta prices it: `marketing`, `utility`, `authentication`, `service`. */
  price_category?: string
  route: string
  carrier?: string
}

export type ShownKey = {
  id: string
  hint: string
  mode: 'live' | 'test'
  name?: string
  scopes?: ('sms' | 'otp' | 'airtime' | 'lookup' | 'lists' | 'settings' | 'callbacks' | 'balance')[]
  state: 'active' | 'expired' | 'revoked'
  expires_datetime?: string
  revoked_datetime?: string
  created_datetime: string
  last_used_datetime?: string
  /** What it may spend per day (UTC). Without it, as much as the balance covers. */
  daily_spending_limit?: number
  spent_today?: number
}

export type ShownLink = {
  url: string
  short_url: string
  clicks: number
  clicks_raw: number
}

export type ShownOrganisation = {
  id: string
  name: string
  test_id: string
  currency: string
  default_country: string
  default_sender_id?: string
  /** Its own choice, else that of its country’s capital. */
  time_zone: string
  low_balance?: number
  /** A message to more recipients is confirmed before it is sent. */
  confirm_above: number
  test_settings: {
    default_country: string
    default_sender_id?: string
    /** Its own choice, else that of its country’s capital. */
    time_zone: string
    low_balance?: number
    /** A message to more recipients is confirmed before it is sent. */
    confirm_above: number
  }
  balance: number
  test_balance: number
  suspended_datetime?: string
  requests_per_s?: number
  messages_per_s?: number
  credit_limit?: number
  created_datetime: string
}

export type ShownPhoneCarrier = {
  carrier: string
  address: string
  token: string
  limits: {
    per_minute: number
    per_hour: number
    per_day: number
  }
  phones: {
    id: string
    name: string
    app: string
    present: boolean
    registered_datetime: string
    seen_datetime?: string
    battery?: number
    charging?: boolean
    network?: string
    sims: {
      sim: number
      operator?: string
      number?: string
      used_minute: number
      used_hour: number
      used_day: number
      in_flight: number
      rests_until?: string
    }[]
  }[]
}

export type ShownPlan = {
  name: string
  carrier: string
  country: string
  operator: string
  sender_id: string
  wordings: string[]
  per_day: number
  per_campaign: number
  from_hour: number
  to_hour: number
  enabled: boolean
  next_datetime?: string
  problem?: string
  numbers: number
  expected_cost?: {
    per_probe: number
    per_day: number
    per_campaign: number
    per_month: number
  }
  changed_by: string
  changed_datetime: string
}

export type ShownProbe = {
  id: string
  plan: string
  carrier: string
  country: string
  operator: string
  sender_id: string
  recipient: string
  text: string
  submitted_datetime: string
  campaign_id?: string
  outcome: 'submitting' | 'accepted' | 'rejected' | 'temporary' | 'held' | 'undelivered' | 'unknown'
  outcome_reason?: string
  carrier_message_ids: string[]
  report?: 'delivered' | 'undelivered' | 'expired' | 'rejected' | 'unknown'
  report_code?: string
  reported_datetime?: string
  arrived?: boolean
  arrived_datetime?: string
  seconds?: number
  displayed_sender?: string
  displayed_text?: string
  displayed?: 'equal' | 'changed' | 'part'
}

export type SignInWays = {
  password: boolean
  providers: {
    name: string
    label: string
  }[]
  owes: ('code' | 'passkey')[]
  sentence?: string
}

export type StatusAnswer = {
  level: 'ok' | 'warning' | 'critical'
  version: string
  checked_datetime: string
  findings: {
    check: string
    level: 'ok' | 'warning' | 'critical'
    summary: string
    advice?: string
    runbook?: string
  }[]
  meta: RequestMeta
}

export type TestSentAnswer = {
  test: {
    process?: string
    outcome: 'accepted' | 'rejected' | 'temporary' | 'held' | 'undelivered' | 'unknown'
    code?: string
    description?: string
    carrier_message_id?: string
    further_ids?: string[]
  }
  meta: RequestMeta
}

export type TimelineAnswer = {
  recipient: string
  status:
    | 'scheduled'
    | 'queued'
    | 'sent'
    | 'delivered'
    | 'undelivered'
    | 'expired'
    | 'rejected'
    | 'failed'
    | 'unknown'
    | 'canceled'
  text?: string
  links?: ShownLink[]
  events: (
    | TimelineEvent
    | {
        kind: 'callback'
        created_datetime: string
        callback: CallbackWithAttempts
      }
  )[]
  meta: RequestMeta
}

export type TimelineEvent = {
  kind: 'accepted' | 'scheduled' | 'sent' | 'ended' | 'refunded' | 'read' | 'click'
  created_datetime: string
  status?:
    | 'scheduled'
    | 'queued'
    | 'sent'
    | 'delivered'
    | 'undelivered'
    | 'expired'
    | 'rejected'
    | 'failed'
    | 'unknown'
    | 'canceled'
  carrier?: string
  code?: string
  description?: string
  /** What you can do about a delivery that did not arrive, from the table of delivery codes. */
  advice?: string
  charge?: number
  send_at?: string
  url?: string
  clicks?: number
}

export type ToppedUp = {
  balance: number
  currency: string
  entry: LedgerEntry
  meta: RequestMeta
}

export type TotpProposal = {
  secret: string
  otpauth_url: string
}

export type User = {
  id: string
  email?: string
  name?: string
  language?: 'en' | 'fr'
  role: 'operator' | 'owner' | 'admin' | 'developer' | 'marketer' | 'finance' | 'viewer'
  organisation_id?: string
  totp: boolean
  passkeys: number
  recovery_codes_left?: number
  state: 'invited' | 'active' | 'disabled'
  provider?: string
  created_datetime: string
  last_login_datetime?: string
}

export type UserAnswer = {
  user: User
}

export type UserPage = {
  users: User[]
  meta: ListMeta
}

export type Welcome = {
  email?: string
  name?: string
  role: 'operator' | 'owner' | 'admin' | 'developer' | 'marketer' | 'finance' | 'viewer'
  expires_datetime: string
  purpose: 'invite' | 'reset' | 'enter'
  organisation_name?: string
}

/** Body of a successful answer, by method and path: `undefined` for 204, a string or bytes for files. */
export type Answers = {
  'POST /console/api/login': Session
  'POST /console/api/welcome/check': Welcome
  'POST /console/api/welcome': Session
  'POST /console/api/enter': Session
  'GET /console/api/sign-in': SignInWays
  'POST /console/api/sign-in/code': Session
  'GET /console/api/session': Session
  'POST /console/api/logout': undefined
  'PATCH /console/api/me': UserAnswer
  'POST /console/api/me/password': Session
  'POST /console/api/me/totp': TotpProposal
  'DELETE /console/api/me/totp': undefined
  'POST /console/api/me/totp/confirm': RecoveryCodes
  'GET /console/api/me/sessions': OpenSessions
  'DELETE /console/api/me/sessions': undefined
  'DELETE /console/api/me/sessions/{id}': undefined
  'POST /console/api/passkeys/challenge': PasskeyAnswer
  'POST /console/api/sign-in/passkey': Session
  'GET /console/api/me/passkeys': Passkeys
  'POST /console/api/me/passkeys': NewPasskey
  'POST /console/api/me/passkeys/challenge': PasskeyProposal
  'PATCH /console/api/me/passkeys/{id}': undefined
  'DELETE /console/api/me/passkeys/{id}': undefined
  'GET /console/api/me/views': SavedViews
  'POST /console/api/me/views': SavedView
  'DELETE /console/api/me/views/{id}': undefined
  'GET /console/api/users': UserPage
  'POST /console/api/users': Invited
  'POST /console/api/users/{id}/invite': Invited
  'PATCH /console/api/users/{id}': UserAnswer
  'GET /console/api/audit': AuditPage
  'GET /console/api/audit.csv': string
  'GET /console/api/organisations': Organisations
  'POST /console/api/organisations': OrganisationAnswer
  'POST /console/api/organisations/{id}/top-ups': ToppedUp
  'POST /console/api/organisations/{id}/limits': OrganisationAnswer
  'POST /console/api/organisations/{id}/price-list': OrganisationAnswer
  'POST /console/api/organisations/{id}/suspension': OrganisationAnswer
  'GET /console/api/keys': Keys
  'POST /console/api/keys': IssuedKey
  'POST /console/api/keys/{id}/rotate': RotatedKey
  'PATCH /console/api/keys/{id}': ShownKey
  'DELETE /console/api/keys/{id}': undefined
  'GET /console/api/overview': Overview
  'GET /console/api/checklist': ChecklistAnswer
  'GET /console/api/messages': FoundMessages
  'GET /console/api/messages.csv': string
  'GET /console/api/messages/{id}': MessageAnswer
  'GET /console/api/messages/{id}/timeline': TimelineAnswer
  'GET /console/api/search': FoundByName
  'GET /console/api/otps': OtpPage
  'GET /console/api/airtime/network': Get_console_api_airtime_networkAnswer
  'GET /console/api/status': StatusAnswer
  'GET /console/api/airtime/review': ReviewAnswer
  'POST /console/api/airtime/review/{id}': SettledAnswer
  'GET /console/api/otp-guard': GuardAnswer
  'GET /console/api/carriers': CarriersAnswer
  'POST /console/api/carriers/{name}/pause': PauseAnswer
  'DELETE /console/api/carriers/{name}/pause': undefined
  'POST /console/api/routes/{name}/pause': PauseAnswer
  'DELETE /console/api/routes/{name}/pause': undefined
  'GET /console/api/carriers/binds': BindsAnswer
  'GET /console/api/carriers/{carrier}/binds/{bind}': BindAnswer
  'GET /console/api/blocklist': BlockedPage
  'POST /console/api/blocklist': BlockedAnswer
  'DELETE /console/api/blocklist/{entry}': undefined
  'GET /console/api/configuration': EntriesAnswer
  'POST /console/api/configuration': OperatorChangesAnswer
  'GET /console/api/configuration/presets': PresetsAnswer
  'POST /console/api/configuration/carriers': EntryChangedAnswer
  'GET /console/api/configuration/carriers/{name}': EntryAnswer
  'PATCH /console/api/configuration/carriers/{name}': EntryChangedAnswer
  'DELETE /console/api/configuration/carriers/{name}': OperatorChangesAnswer
  'POST /console/api/configuration/routes': EntryChangedAnswer
  'GET /console/api/configuration/routes/{name}': EntryAnswer
  'PATCH /console/api/configuration/routes/{name}': EntryChangedAnswer
  'DELETE /console/api/configuration/routes/{name}': OperatorChangesAnswer
  'POST /console/api/carriers/{name}/test': TestSentAnswer
  'GET /console/api/probes': Get_console_api_probesAnswer
  'POST /console/api/probes': Post_console_api_probesAnswer
  'PATCH /console/api/probes/{name}': Patch_console_api_probes__nameAnswer
  'DELETE /console/api/probes/{name}': undefined
  'POST /console/api/probes/{name}/run': Post_console_api_probes__name_runAnswer
  'GET /console/api/probe-results': ProbePage
  'GET /console/api/probe-results.csv': string
  'GET /console/api/price-lists': ListsAnswer
  'POST /console/api/price-lists': ListAnswer
  'GET /console/api/price-lists/{name}': ListAnswer
  'PATCH /console/api/price-lists/{name}': ListAnswer
  'DELETE /console/api/price-lists/{name}': undefined
  'POST /console/api/price-lists/{name}/default': ListAnswer
  'GET /console/api/price-lists/{name}/rules': RulesPage
  'POST /console/api/price-lists/{name}/rules': RuleSetAnswer
  'GET /console/api/price-lists/{name}/history': HistoryAnswer
  'GET /console/api/price-lists/{name}/changes': PricesChangesAnswer
  'POST /console/api/price-lists/{name}/imports': ImportAnswer
  'POST /console/api/price-lists/{name}/undo': ListAnswer
  'GET /console/api/price-lists/{name}/rules.csv': string
  'GET /console/api/cost-assignments': CostAssignmentsAnswer
  'POST /console/api/cost-assignments/{carrier}': CostAssignmentsAnswer
  'GET /console/api/margins': Get_console_api_marginsAnswer
  'GET /console/api/margins.csv': string
  'GET /console/api/evidence': Get_console_api_evidenceAnswer
  'GET /console/api/evidence/honesty': Get_console_api_evidence_honestyAnswer
  'GET /console/api/senders': SendersAnswer
  'POST /console/api/senders/{id}': DecidedSender
  'GET /console/api/phones': PhonesAnswer
  'POST /console/api/phones/{carrier}/token': PhonesAnswer
  'DELETE /console/api/phones/{carrier}/{phone}': undefined
}
