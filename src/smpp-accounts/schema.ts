import { Type, type Static } from '../values/schema/type.ts'

export const MAX_ACCOUNTS = 50
const MAX_NETWORKS = 50
/** An IPv6 address, a slash and three digits. */
const LONGEST_NETWORK = 43

/** Possible meanings of data_coding 0. */
export const ALPHABETS = ['gsm7', 'latin1', 'ascii', 'gsm7-packed'] as const
export type Alphabet = (typeof ALPHABETS)[number]

export const SYSTEM_ID = /^[0-9A-Za-z_.-]{1,15}$/

const system_id = Type.String({
  minLength: 1,
  maxLength: 15,
  pattern: '^[0-9A-Za-z_.-]*$',
  description: 'The name it binds with, unique in the installation.',
  examples: ['shop'],
})

const settings = {
  allow_networks: Type.Array(Type.String({ maxLength: LONGEST_NETWORK, examples: ['10.1.0.0/16'] }), {
    maxItems: MAX_NETWORKS,
    description: 'Networks and addresses it may bind from; empty: any.',
  }),
  max_binds: Type.Integer({
    minimum: 1,
    maximum: 100,
    description: 'Maximum number of concurrent binds.',
    examples: [4],
  }),
  rate_per_s: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    description: 'Submits per second over all of its binds; more are throttled.',
    examples: [100],
  }),
  window_size: Type.Integer({
    minimum: 1,
    maximum: 1_000,
    description: 'Maximum number of unanswered submits of a bind, and of unanswered deliveries to it.',
    examples: [50],
  }),
  alphabet: Type.Unsafe<Alphabet>({
    type: 'string',
    enum: [...ALPHABETS],
    description: 'The meaning of `data_coding` 0.',
    examples: ['gsm7'],
  }),
  receives_texts: Type.Boolean({ description: 'Whether received texts are delivered to it.' }),
}

export const SmppAccountBody = Type.Object({
  system_id: Type.Optional(system_id),
  password: Type.Optional(
    Type.String({
      minLength: 8,
      maxLength: 8,
      pattern: '^[\\x21-\\x7e]*$',
      description: 'Generated unless given. SMPP passwords have eight characters.',
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
  binds: Type.Integer({ description: 'Current number of binds.', examples: [1] }),
  waiting: Type.Integer({
    description: 'Pending reports and texts for its receivers, counted up to a thousand.',
    examples: [0],
  }),
  created_datetime: Type.String({ format: 'date-time', examples: ['2026-11-14T23:42:46.539766+00:00'] }),
})
export type SmppAccount = Static<typeof SmppAccount>

export const SmppAccountPage = Type.Object({ accounts: Type.Array(SmppAccount, { maxItems: MAX_ACCOUNTS }) })

/** Returned only when the account is created. */
export const SmppAccountWithPassword = Type.Object({
  ...SmppAccount.properties,
  password: Type.String({ description: 'The password, shown only once.', examples: ['k8Qz31bX'] }),
})
export type SmppAccountWithPassword = Static<typeof SmppAccountWithPassword>
