/** The figures counted per organisation and minute. Money is in ten-thousandths. */
export const FIGURES = [
  'accepted',
  'delivered',
  'undelivered',
  'expired',
  'rejected',
  'failed',
  'unknown',
  'otp_sent',
  'otp_verified',
  'spend',
  'refunds',
] as const
export type Figure = (typeof FIGURES)[number]
export type Figures = Record<Figure, number>

export function zeroFigures(): Figures {
  return {
    accepted: 0,
    delivered: 0,
    undelivered: 0,
    expired: 0,
    rejected: 0,
    failed: 0,
    unknown: 0,
    otp_sent: 0,
    otp_verified: 0,
    spend: 0,
    refunds: 0,
  }
}
