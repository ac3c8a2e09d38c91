export type CallbackAttempt = {
  attempt: number
  status_code?: number
  reason?: string
  excerpt?: string
  duration_ms: number
  created_datetime: string
}

export type ToldCallback = {
  id: string
  type: string
  url: string
  status: 'pending' | 'delivered' | 'stopped' | 'failed'
  attempts: number
  body: string
  attempts_log: CallbackAttempt[]
}
