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
