import { Type, type Static } from '../values/schema/type.ts'

export const MAX_ACCOUNTS = 50
const MAX_NETWORKS = 50
/** An IPv6 address, a slash and three digits. */
const LONGEST_NETWORK = 43

/** What data_coding 0 may mean. */
export const ALPHABETS = ['gsm7', 'latin1', 'ascii', 'gsm7-packed'] as const
export type Alphabet = (typeof ALPHABETS)[number]

export const SYSTEM_ID = /^[0-9A-Za-z_.-]{1,15}$/

const system_id = Type.String({
  minLength: 1,
  maxLength: 15,
  pattern: '^[0-9A-Za-z_.-]*$',
  description: 'The name it binds under, unique in the installation.',
  examples: ['shop'],
})

const settings = {
  allow_networks: Type.Array(Type.String({ maxLength: LONGEST_NETWORK, examples: ['10.1.0.0/16'] }), {
    maxItems: MAX_NETWORKS,
    description: 'Networks and addresses it may bind from; with none, from anywhere.',
  }),
  max_binds: Type.Integer({ minimum: 1, maximum: 100, description: 'Binds at a time.', examples: [4] }),
  rate_per_s: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    description: 'Submits a second over all of its binds; what is more is throttled.',
    examples: [100],
  }),
  window_size: Type.Integer({
    minimum: 1,
    maximum: 1_000,
    description: 'Submits of a bind that may be unanswered at a time, and deliveries to it.',
    examples: [50],
  }),
  alphabet: Type.Unsafe<Alphabet>({
    type: 'string',
    enum: [...ALPHABETS],
    description: 'What `data_coding` 0 means to it.',
    examples: ['gsm7'],
  }),
  receives_texts: Type.Boolean({ description: 'Whether texts that people write are delivered to it.' }),
}

export const SmppAccountBody = Type.Object({
  system_id: Type.Optional(system_id),
  password: Type.Optional(
    Type.String({
      minLength: 8,
      maxLength: 8,
      pattern: '^[\\x21-\\x7e]*$',
      description: 'Where the client has one already; else one is made. SMPP has room for eight characters.',
      examples: [],
    }),
  ),
  allow_networks: Type.Optional(settings.allow_networks),
  max_binds: Type.Optional(settings.max_binds),
  rate_per_s: Type.Optional(settings.rate_per_s),
  window_size: Type.Optional(settings.window_size),
  alphabet: Type.Optional(settings.alphabet),
  receives_texts: Type.Optional(settings.receives_texts),
})
export type SmppAccountBody = Static<typeof SmppAccountBody>

export const SmppAccount = Type.Object({
  system_id,
  ...settings,
  binds: Type.Integer({ description: 'Binds that are up.', examples: [1] }),
  waiting: Type.Integer({
    description: 'Reports and texts that wait for a receiver, counted up to a thousand.',
    examples: [0],
  }),
  created_datetime: Type.String({ format: 'date-time', examples: ['2026-11-14T23:42:46.539766+00:00'] }),
})
export type SmppAccount = Static<typeof SmppAccount>

export const SmppAccountPage = Type.Object({ accounts: Type.Array(SmppAccount, { maxItems: MAX_ACCOUNTS }) })

/** Seen when it is made, and never again. */
export const SmppAccountWithPassword = Type.Object({
  ...SmppAccount.properties,
  password: Type.String({ description: 'What it binds with. Shown this once.', examples: ['k8Qz31bX'] }),
})
export type SmppAccountWithPassword = Static<typeof SmppAccountWithPassword>
