export type Bind = {
  bind: number
  /** Null: no process holds it. */
  holder: string | null
  state: 'connecting' | 'binding' | 'bound' | 'waiting' | 'stopping' | 'stopped'
  updated_datetime: string
  figures: BindFigures | null
}

export type BindFigures = {
  since: string
  reason: string | null
  retry_in_ms: number | null
  window: number
  inflight: number
  waiting: number
  /** Segments per second at present; null: as fast as it goes. */
  rate: number | null
  submitted: number
  received: number
  latency_ms: Bucket[]
  errors: Record<string, number>
}

/** So many answers that took up to so many milliseconds; the last has no end. */
export type Bucket = { up_to: number | null; count: number }

export type SeenPdu = {
  direction: 'in' | 'out'
  at: string
  command: string
  command_status: string
  sequence_number: number
  bytes: number
  from?: string
  to?: string
  message_id?: string
}

export type BoundCarrier = { carrier: string; up: boolean; binds: Bind[] }
export type BindAnswer = Bind & { carrier: string; pdus: SeenPdu[] | null }

export const CARRIERS = '/console/api/carriers'

/** Within how many milliseconds that part of the answers came; undefined without answers, null beyond the last bucket. */
export function answeredWithin(buckets: readonly Bucket[], part: number): number | null | undefined {
  const wanted = part * buckets.reduce((sum, { count }) => sum + count, 0)
  if (wanted === 0) return undefined
  let sum = 0
  for (const { up_to, count } of buckets) {
    sum += count
    if (sum >= wanted) return up_to
  }
  return null
}
