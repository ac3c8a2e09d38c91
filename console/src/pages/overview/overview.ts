/** The answer of `/console/api/overview`. */
export type OverviewAnswer = {
  range: string
  step_s: number
  currency: string
  balance: number
  now: { messages_per_minute: number; queue_depth: number; queue_depth_capped: boolean }
  totals: Totals
  series: Series
  carriers: { name: string; kind: string; state: string; detail?: string }[]
}

export type Totals = {
  accepted: number
  delivered: number
  undelivered: number
  expired: number
  rejected: number
  failed: number
  unknown: number
  /** Of those that ended. */
  delivery_rate?: number
  spend: number
  refunds: number
  otp_sent: number
  otp_verified: number
  otp_conversion?: number
}

/** One value per step, ready to draw. */
export type Series = {
  time: number[]
  accepted: number[]
  delivered: number[]
  failed: number[]
  spend: number[]
  otp_sent: number[]
  otp_verified: number[]
}
