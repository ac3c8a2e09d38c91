import { Type, type Static } from 'typebox'

export const SCOPES = ['sms', 'otp', 'airtime', 'lookup', 'lists'] as const
export type Scope = (typeof SCOPES)[number]

/** The part of the configuration file about the first organisation. */
export const OrganisationSettings = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200, default: 'First organisation' }),
    default_country: Type.String({ pattern: '^[A-Z]{2}$', default: 'NG' }),
    default_sender_id: Type.String({ pattern: '^[A-Za-z0-9 ._&-]{1,11}$', default: 'Gangan' }),
  },
  { additionalProperties: false },
)
export type OrganisationSettings = Static<typeof OrganisationSettings>

const plain = '^[^\\u0000-\\u001f]*$'

/** A key somebody wants. Without scopes it may do everything. */
export const KeyBody = Type.Object({
  mode: Type.Unsafe<'live' | 'test'>({ type: 'string', enum: ['live', 'test'] }),
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 100, pattern: plain })),
  scopes: Type.Optional(
    Type.Array(Type.Unsafe<Scope>({ type: 'string', enum: [...SCOPES] }), { minItems: 1, maxItems: SCOPES.length }),
  ),
  expires_datetime: Type.Optional(Type.String({ maxLength: 40 })),
})
export type KeyBody = Static<typeof KeyBody>

export const RotateBody = Type.Object({
  overlap_hours: Type.Optional(Type.Integer({ minimum: 0, maximum: 720, default: 24 })),
})
export type RotateBody = Static<typeof RotateBody>

/** A key as it is listed: never the secret. */
export type ShownKey = {
  id: string
  hint: string
  mode: 'live' | 'test'
  name?: string
  scopes?: Scope[]
  state: 'active' | 'expired' | 'revoked'
  expires_datetime?: string
  revoked_datetime?: string
  created_datetime: string
}

export const OrganisationBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 190, pattern: plain }),
  default_country: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$', default: 'NG' })),
  default_sender_id: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9 ._&-]{1,11}$' })),
  credit: Type.Optional(Type.Number({ minimum: 0, maximum: 100_000_000_000 })),
})
export type OrganisationBody = Static<typeof OrganisationBody>

/** An organisation with its test twin. */
export type ShownOrganisation = {
  id: string
  name: string
  test_id: string
  default_country: string
  default_sender_id?: string
  currency: string
  balance: number
  test_balance: number
  created_datetime: string
}
