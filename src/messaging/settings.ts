import { CHOICE_SETTINGS } from '../choice/settings.ts'
import { Type, type Static } from '../values/schema/type.ts'

const channel = Type.Unsafe<'sms' | 'whatsapp'>({ type: 'string', enum: ['sms', 'whatsapp'] })
const country = Type.Optional(Type.String({ pattern: '^[A-Z]{2}$' }))
const operator = Type.Optional(Type.String({ minLength: 1, maxLength: 60 }))
/** Promotional messages respect do-not-disturb lists and have routes of their own. */
export type RouteClass = 'transactional' | 'promotional'

/** What happens to a promotional message to a number on a do-not-disturb list. */
export const DndSetting = Type.Unsafe<'skip' | 'transactional'>({
  type: 'string',
  enum: ['skip', 'transactional'],
  default: 'skip',
})
export type DndSetting = Static<typeof DndSetting>

const prefix = Type.String({ pattern: '^[0-9]{0,15}$', default: '' })

const RouteClass = Type.Unsafe<RouteClass>({ type: 'string', enum: ['transactional', 'promotional'] })

/** Maximum number of recipients in the intake, in all and per organisation. */
export const IntakeSettings = Type.Object(
  {
    recipients: Type.Integer({ minimum: 1_000, maximum: 1_000_000_000, default: 20_000_000 }),
    recipients_per_organisation: Type.Integer({ minimum: 1_000, maximum: 1_000_000_000, default: 10_000_000 }),
  },
  { additionalProperties: false, default: {} },
)
export type IntakeSettings = Static<typeof IntakeSettings>

/** A price per page for matching numbers. The most specific match applies. */
export const PriceSettings = Type.Object(
  {
    channel,
    prefix,
    country,
    operator,
    class: Type.Optional(RouteClass),
    price: Type.Number({ minimum: 0, maximum: 1_000_000 }),
  },
  { additionalProperties: false },
)
export type PriceSettings = Static<typeof PriceSettings>

/**
 * What happens to a message if it is unknown whether the carrier accepted it: it waits for its report; the same, but a
 * one-time password is resent; or it fails.
 */
export type OnUnknown = 'hold' | 'resend_otp' | 'fail'

/** The carriers of a route, in the order in which they are tried. */
export function carriersOf({ carrier, carriers }: RouteSettings): readonly string[] {
  return carriers ?? (carrier === undefined ? [] : [carrier])
}

/** The carriers of messages to matching numbers. The most specific match applies. */
export const RouteSettings = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z0-9-]{1,40}$' }),
    channel,
    prefix,
    country,
    operator,
    class: Type.Unsafe<RouteClass>({ ...RouteClass, default: 'transactional' }),
    carrier: Type.Optional(Type.String()),
    carriers: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 10 })),
    rate_per_s: Type.Optional(Type.Number({ minimum: 0.1, maximum: 100_000 })),
    on_unknown: Type.Unsafe<OnUnknown>({
      type: 'string',
      enum: ['hold', 'resend_otp', 'fail'],
      default: 'resend_otp',
    }),
    failover_after_s: Type.Number({ minimum: 1, maximum: 86_400, default: 30 }),
    ...CHOICE_SETTINGS,
  },
  { additionalProperties: false },
)
export type RouteSettings = Static<typeof RouteSettings> & {
  /** Made for a number of an organisation, of the route that is configured (`config/numbers.ts`). */
  number?: { digits: string; of: string }
}

/** Whether messages match it; those of a number are chosen for it instead. */
export function isConfigured({ number }: RouteSettings): boolean {
  return number === undefined
}
