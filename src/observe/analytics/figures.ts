/** What is counted of the messages and one-time passwords of an hour. Money in ten-thousandths. */
export const COUNTED = [
  'accepted',
  'delivered',
  'failed',
  'unknown',
  'canceled',
  'pages',
  'cost',
  'refunded',
  'otp_requested',
  'otp_verified',
  'otp_failed',
] as const
export type Counted = Record<(typeof COUNTED)[number], number>

export function nothingCounted(): Counted {
  return {
    accepted: 0,
    delivered: 0,
    failed: 0,
    unknown: 0,
    canceled: 0,
    pages: 0,
    cost: 0,
    refunded: 0,
    otp_requested: 0,
    otp_verified: 0,
    otp_failed: 0,
  }
}

/** Written out: it is done for every message, and a loop over names takes ten times as long. */
export function addCounted(to: Counted, more: Partial<Counted>): void {
  to.accepted += more.accepted ?? 0
  to.delivered += more.delivered ?? 0
  to.failed += more.failed ?? 0
  to.unknown += more.unknown ?? 0
  to.canceled += more.canceled ?? 0
  to.pages += more.pages ?? 0
  to.cost += more.cost ?? 0
  to.refunded += more.refunded ?? 0
  to.otp_requested += more.otp_requested ?? 0
  to.otp_verified += more.otp_verified ?? 0
  to.otp_failed += more.otp_failed ?? 0
}

/** What figures can be told apart by. */
export const DIMENSIONS = ['channel', 'country', 'operator', 'sender', 'route', 'error', 'template'] as const
export type Dimension = (typeof DIMENSIONS)[number]

/** Everything, whatever it is. */
export const ALL = 'all'
/** What is beyond the bound. No channel, country, operator, sender, route or template can be called so. */
export const OTHER = '*'
/** Of one dimension in one hour. */
export const MOST_VALUES = 100
export const LONGEST_VALUE = 100
