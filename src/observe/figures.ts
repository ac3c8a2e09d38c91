/** What is counted per organisation and minute. Money in ten-thousandths. */
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
