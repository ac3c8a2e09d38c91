/** A message as the server sends it to the app. */
export type PhoneMessage = {
  id: string
  text: string
  to: string
  sim: number | null
  valid_until_ms: number
  priority: number
}

export type PhoneState = 'Pending' | 'Processed' | 'Sent' | 'Delivered' | 'Failed' | 'Cancelled'

export type KeptMessage = PhoneMessage & {
  state: PhoneState
  error?: string
  /** When it reached each state. */
  states: Partial<Record<PhoneState, string>>
  /** The last state that was reported to the server. */
  reported?: PhoneState
}

/** What the app stores on the phone: it survives when the app is killed. */
export type PhoneMemory = {
  registration?: { id: string; token: string }
  signing_key?: string
  webhooks: { url: string; event: string }[]
  messages: Map<string, KeptMessage>
  /** Webhook posts that are not acknowledged yet. */
  posts: { url: string; body: string }[]
  /** Set by the running app: reports the state of a message. */
  report?: (message: KeptMessage) => void
}

export function newMemory(): PhoneMemory {
  return { webhooks: [], messages: new Map(), posts: [] }
}
