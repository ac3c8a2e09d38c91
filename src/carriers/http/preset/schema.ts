import { Type, type Static, AnyName } from '../../../values/schema/type.ts'

const closed = { additionalProperties: false }
const text = Type.String({ minLength: 1, maxLength: 4_000 })
const word = Type.Union([Type.String({ maxLength: 200 }), Type.Number(), Type.Boolean()])
const name = '^[a-z][a-z0-9_]{0,39}$'

/** A path, or several of which the first that leads to a value counts. */
const paths = Type.Union([text, Type.Array(text, { minItems: 1, maxItems: 8 })])
const when = Type.Optional(Type.Record(AnyName, Type.Union([word, Type.Array(word, { minItems: 1, maxItems: 60 })])))
const texts = Type.Record(AnyName, Type.Unknown())

const request = {
  method: Type.Unsafe<'GET' | 'POST'>({ type: 'string', enum: ['GET', 'POST'], default: 'POST' }),
  url: text,
  query: Type.Optional(texts),
  headers: Type.Optional(Type.Record(Type.String({ pattern: '^[A-Za-z0-9-]{1,60}$' }), text)),
  json: Type.Optional(Type.Unknown()),
  form: Type.Optional(texts),
}

export const OUTCOMES = ['accepted', 'rejected', 'elsewhere', 'temporary', 'paused', 'unknown'] as const

/** What an answer means for a message: the first line that matches counts. */
const OutcomeLine = Type.Object(
  {
    when,
    outcome: Type.Unsafe<(typeof OUTCOMES)[number]>({ type: 'string', enum: [...OUTCOMES] }),
    id: Type.Optional(paths),
    code: Type.Optional(paths),
    description: Type.Optional(paths),
    /** Instead of the vendor's description. */
    sentence: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    after_s: Type.Optional(Type.Number({ minimum: 0.1, maximum: 86_400 })),
    /** The vendor asks to slow down: fewer messages are in flight. */
    slow_down: Type.Optional(Type.Boolean()),
  },
  closed,
)

export const REPORT_STATES = ['delivered', 'undelivered', 'expired', 'rejected', 'unknown', 'ignored'] as const
const state = Type.Unsafe<(typeof REPORT_STATES)[number]>({ type: 'string', enum: [...REPORT_STATES] })

/** The fields of a report, or of the answer to a query. */
const reportFields = {
  each: Type.Optional(text),
  when,
  id: Type.Optional(paths),
  word: paths,
  states: Type.Record(AnyName, state),
  otherwise: Type.Optional(state),
  code: Type.Optional(paths),
  description: Type.Optional(paths),
  operator: Type.Optional(paths),
}

const ALGORITHMS = ['sha1', 'sha256', 'sha512'] as const
const hmac = {
  algorithm: Type.Unsafe<(typeof ALGORITHMS)[number]>({ type: 'string', enum: [...ALGORITHMS] }),
  secret: text,
  over: text,
  encoding: Type.Unsafe<'hex' | 'base64'>({ type: 'string', enum: ['hex', 'base64'], default: 'hex' }),
}

/** How a post is verified. One whose credentials are not configured is skipped; all others must pass. */
const Verification = Type.Union([
  Type.Object({ kind: Type.Literal('secret'), at: text, secret: text }, closed),
  Type.Object(
    {
      kind: Type.Literal('hmac'),
      ...hmac,
      at: text,
      /** When it was signed, in seconds; older ones are refused. */
      signed_at: Type.Optional(text),
      tolerance_s: Type.Optional(Type.Integer({ minimum: 10, maximum: 86_400 })),
    },
    closed,
  ),
])
export type Verification = Static<typeof Verification>

const verify = Type.Array(Verification, { minItems: 1, maxItems: 4 })
const reply = Type.Optional(
  Type.Object({ type: Type.String({ pattern: '^[\\w./+-]{3,60}$' }), text: Type.String({ maxLength: 500 }) }, closed),
)

const Auth = Type.Union([
  Type.Object({ kind: Type.Literal('basic'), username: text, password: text }, closed),
  Type.Object({ kind: Type.Literal('bearer'), token: text }, closed),
  Type.Object(
    { kind: Type.Literal('oauth'), url: text, client_id: text, client_secret: text, scope: Type.Optional(text) },
    closed,
  ),
  Type.Object({ kind: Type.Literal('hmac'), ...hmac, header: text }, closed),
])

const credential = Type.Union([
  Type.String({ minLength: 1, maxLength: 300 }),
  Type.Object({ about: Type.String({ minLength: 1, maxLength: 300 }), optional: Type.Literal(true) }, closed),
])

/** The description of a vendor. `docs/carriers.md` explains every key, and `presets/` has examples. */
export const Preset = Type.Object(
  {
    vendor: Type.String({ minLength: 1, maxLength: 60 }),
    documentation: Type.Optional(Type.String({ maxLength: 300 })),
    credentials: Type.Record(Type.String({ pattern: name }), credential, { default: {} }),
    options: Type.Record(Type.String({ pattern: name }), Type.String({ maxLength: 300 }), { default: {} }),
    limits: Type.Object(
      {
        rate_per_s: Type.Optional(Type.Number({ minimum: 0.1, maximum: 10_000 })),
        connections: Type.Integer({ minimum: 1, maximum: 512, default: 64 }),
        timeout_ms: Type.Integer({ minimum: 500, maximum: 120_000, default: 30_000 }),
        report_due_h: Type.Number({ minimum: 0.1, maximum: 168, default: 72 }),
      },
      { ...closed, default: {} },
    ),
    auth: Type.Optional(Auth),
    send: Type.Object(
      {
        ...request,
        /** The URL of a request with several messages, if it differs. */
        bulk_url: Type.Optional(text),
        recipients: Type.Integer({ minimum: 1, maximum: 500, default: 1 }),
        together: Type.Array(Type.Unsafe<'from' | 'text'>({ type: 'string', enum: ['from', 'text'] }), { default: [] }),
        /** The vendor sends a message with the same `message.id` once: the request may be repeated if it did not answer. */
        idempotent: Type.Boolean({ default: false }),
        /** The vendor uses our `message.id` as its id: reports and queries match by it even without an answer. */
        named_by_us: Type.Boolean({ default: false }),
        /** All messages of a request have one id: reports are matched by the id and the number. */
        shared_id: Type.Boolean({ default: false }),
        answer: Type.Object(
          {
            /** One entry for each message of the request, or for each part of the one message. */
            each: Type.Optional(text),
            parts: Type.Optional(text),
            to: Type.Optional(paths),
            cost: Type.Optional(paths),
            outcomes: Type.Array(OutcomeLine, { minItems: 1, maxItems: 60 }),
          },
          closed,
        ),
      },
      closed,
    ),
    reports: Type.Optional(
      Type.Object(
        { verify, reply, ref: Type.Optional(paths), recipient: Type.Optional(paths), ...reportFields },
        closed,
      ),
    ),
    texts: Type.Optional(
      Type.Object(
        {
          verify: Type.Optional(verify),
          reply,
          /** The vendor posts texts to the URL for reports. */
          with_reports: Type.Boolean({ default: false }),
          each: Type.Optional(text),
          when,
          id: paths,
          from: paths,
          to: paths,
          text: paths,
          /** The field that names the charset of the text's octets; then `text` leads into `octets`. */
          charset: Type.Optional(paths),
          /** If a post has one segment of a long text: segments with the same reference are joined. */
          segments: Type.Optional(Type.Object({ reference: paths, total: paths, segment: paths }, closed)),
        },
        closed,
      ),
    ),
    /** Opt-outs at the vendor; they are posted to the URL for texts. */
    optouts: Type.Optional(Type.Object({ each: Type.Optional(text), when, recipient: paths, sender: paths }, closed)),
    query: Type.Optional(
      Type.Object(
        {
          ...request,
          method: Type.Unsafe<'GET' | 'POST'>({ ...request.method, default: 'GET' }),
          after_s: Type.Array(Type.Integer({ minimum: 1, maximum: 604_800 }), { minItems: 1, maxItems: 8 }),
          ...reportFields,
        },
        closed,
      ),
    ),
    balance: Type.Optional(
      Type.Object(
        {
          ...request,
          method: Type.Unsafe<'GET' | 'POST'>({ ...request.method, default: 'GET' }),
          amount: paths,
          currency: Type.Optional(paths),
        },
        closed,
      ),
    ),
    /** Sent when a one-time password that the vendor carried was verified, and with `on_unverified` when it was not. */
    feedback: Type.Optional(Type.Object({ ...request, on_unverified: Type.Boolean({ default: false }) }, closed)),
    check: Type.Optional(
      Type.Object({ ...request, method: Type.Unsafe<'GET' | 'POST'>({ ...request.method, default: 'GET' }) }, closed),
    ),
  },
  closed,
)
export type Preset = Static<typeof Preset>
export type RequestText = Pick<Preset['send'], 'method' | 'url' | 'query' | 'headers' | 'json' | 'form'> & {
  bulk_url?: string
}
export type ReportText = Pick<
  NonNullable<Preset['reports']>,
  'each' | 'when' | 'id' | 'word' | 'states' | 'otherwise' | 'code' | 'description' | 'operator'
>
