/** The figures counted for the messages and one-time passwords of an hour. Money is in ten-thousandths. */
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
  'read',
] as const
export type Counted = Record<(typeof COUNTED)[number], number>

export function zeroCounts(): Counted {
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
    read: 0,
  }
}

/** Unrolled: it runs for every message, and a loop over the names takes ten times as long. */
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
  to.read += more.read ?? 0
}

/** What figures can be grouped by. */
export const DIMENSIONS = ['channel', 'country', 'operator', 'sender', 'route', 'error', 'template'] as const
export type Dimension = (typeof DIMENSIONS)[number]

/** The dimension that counts everything. */
export const ALL = 'all'
/** Stands for all values beyond the limit. No value of a dimension can have this name. */
export const OTHER = '*'
/** Values of one dimension in one hour. */
export const MAX_VALUES = 100
export const MAX_VALUE_CHARACTERS = 100
