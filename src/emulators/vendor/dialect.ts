/** A request to the vendor. */
export type VendorRequest = {
  method: string
  path: string
  query: URLSearchParams
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: string
  /** The body parsed as a form. */
  form: URLSearchParams
  /** The body parsed as JSON; undefined if it is not JSON. */
  json: unknown
}

export type VendorResponse = { status: number; json?: unknown; text?: string; headers?: Record<string, string> }

/** A message submitted to the vendor. */
export type Sent = {
  to: string
  from: string
  text: string
  urgent?: boolean | undefined
  /** The vendor's route, if one was requested. */
  channel?: string | undefined
  expires_in_s?: number | undefined
  /** The sender's id of it, and a reference that reports repeat. */
  own_id?: string | undefined
  /** The sender will give feedback on it. */
  wants_feedback?: boolean | undefined
  ref?: string | undefined
  /** The URL for its reports; without it, the one configured in the vendor's dashboard. */
  report_to?: string | undefined
}

/** A segment of a long text; `segment` counts from 1. */
export type SentSegment = { reference: number; total: number; segment: number }

/** How the vendor answers a message: accepted under ids, one for each part, or refused. */
export type Fate = {
  sent: Sent
  ids: readonly string[]
  made: 'taken' | 'known' | 'refused' | 'refused_here' | 'put_off'
}

export type End = 'delivered' | 'lost' | 'disowned'

/** A request of the vendor to the installation. `to` is a URL from the message, or `reports` or `texts`: the one configured in the dashboard. */
export type VendorPost = {
  to: string
  method: 'GET' | 'POST'
  query?: Record<string, string>
  /** Appended to the query, already escaped. */
  raw_query?: string
  form?: Record<string, string>
  json?: unknown
  headers?: (address: string, body: string) => Record<string, string>
}

/** The API of a vendor, written from its documentation: how it reads requests, answers and reports. */
export type Dialect = {
  credentials: Readonly<Record<string, string>>
  /** Path prefix of the API. */
  base_path?: string
  /** The vendor splits long texts, and reports each part. */
  splits?: boolean
  /** The messages of a request share one id, and all are refused if one is. */
  shares_ids?: boolean
  /** Messages with a known own_id are duplicates. */
  knows_ids?: boolean
  options?: Readonly<Record<string, string>>
  /** Options that are addresses of the same server. */
  address_options?: readonly string[]
  /** The messages of a request to send, or the answer to anything else. */
  read(request: VendorRequest): { messages: Sent[] } | { response: VendorResponse; feedback?: GivenFeedback }
  answer(fates: readonly Fate[]): VendorResponse
  report(id: string, sent: Sent, end: End): VendorPost
  text(id: string, from: string, to: string, text: string): VendorPost
  /** A segment of a received long text, if the vendor does not join them. */
  segment?(id: string, from: string, to: string, text: string, segment: SentSegment): VendorPost
  /** A recipient opted out of a sender; without it the vendor does not report that. */
  optout?(recipient: string, sender: string): VendorPost
  /** Answers a status query; without it the vendor has none. */
  state?(request: VendorRequest, find: (id: string) => StoredMessage | undefined): VendorResponse | undefined
}

/** That the one-time password of a message was verified. */
export type GivenFeedback = { id: string; verified: boolean; time: string }

export type StoredMessage = { id: string; sent: Sent; end: End | undefined }

/** The credentials of HTTP basic authentication. */
export function basic(request: VendorRequest): string {
  const [, token = ''] = /^Basic (.+)$/.exec(String(request.headers.authorization ?? '')) ?? []
  return Buffer.from(token, 'base64').toString()
}

export function digits(number: string | null): string {
  return (number ?? '').replace(/\D/g, '')
}

export function optionalNumber(text: string | null): number | undefined {
  return text === null || text === '' ? undefined : Number(text)
}
