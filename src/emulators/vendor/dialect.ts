/** A request to a vendor. */
export type Asked = {
  method: string
  path: string
  query: URLSearchParams
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: string
  /** The body as the form it may be. */
  form: URLSearchParams
  /** The body as JSON; undefined when it is none. */
  json: unknown
}

export type Said = { status: number; json?: unknown; text?: string; headers?: Record<string, string> }

/** A message that was sent to a vendor. */
export type Sent = {
  to: string
  from: string
  text: string
  urgent?: boolean
  /** The vendor's route, where it was asked for one. */
  channel?: string
  expires_in_s?: number
  /** What the sender calls it, and what comes back with reports. */
  own_id?: string
  ref?: string
  /** Where reports on it go; without it: to the address of the dashboard. */
  report_to?: string
}

/** Which segment of a long text it is; they count from 1. */
export type SentSegment = { reference: number; total: number; segment: number }

/** What the vendor makes of one: taken under ids, one for each part; or what it says instead. */
export type Fate = {
  sent: Sent
  ids: readonly string[]
  made: 'taken' | 'known' | 'refused' | 'refused_here' | 'put_off'
}

export type End = 'delivered' | 'lost' | 'disowned'

/** What a vendor posts to us; `to` is the address it was told, or `reports` or `texts`: that of its dashboard. */
export type Told = {
  to: string
  method: 'GET' | 'POST'
  query?: Record<string, string>
  /** Goes behind the query as it is, already escaped. */
  raw_query?: string
  form?: Record<string, string>
  json?: unknown
  headers?: (address: string, body: string) => Record<string, string>
}

/** How a vendor speaks: what it makes of requests, how it answers and how it reports, as its documentation says. */
export type Dialect = {
  credentials: Readonly<Record<string, string>>
  /** Behind the address of the server. */
  base_path?: string
  /** Of a message, where the vendor splits it itself and tells the parts apart. */
  splits?: boolean
  /** The messages of a request have one id, and are refused together if one of them is. */
  shares_ids?: boolean
  /** The same own_id again is the same message. */
  knows_ids?: boolean
  options?: Readonly<Record<string, string>>
  /** The messages of a request to send, or the answer to anything else. */
  read(asked: Asked): { messages: Sent[] } | { said: Said }
  answer(fates: readonly Fate[]): Said
  report(id: string, sent: Sent, end: End): Told
  text(id: string, from: string, to: string, text: string): Told
  /** A segment of a long text, where the vendor does not join them itself. */
  segment?(id: string, from: string, to: string, text: string, segment: SentSegment): Told
  /** A person opted out of what comes from this sender; without it the vendor does not report that. */
  optout?(recipient: string, sender: string): Told
  /** The answer to a question for a message's state; without it the vendor takes none. */
  state?(asked: Asked, find: (id: string) => Held | undefined): Said | undefined
}

export type Held = { id: string; sent: Sent; end: End | undefined }

export function basic(asked: Asked): string {
  const [, token = ''] = /^Basic (.+)$/.exec(String(asked.headers.authorization ?? '')) ?? []
  return Buffer.from(token, 'base64').toString()
}

export function digits(number: string | null): string {
  return (number ?? '').replace(/\D/g, '')
}

export function optionalNumber(text: string | null): number | undefined {
  return text === null || text === '' ? undefined : Number(text)
}
