/** A message as the server gives it to the app; the app has its dates in milliseconds. */
export type PhoneMessage = {
  id: string
  text: string
  to: string
  sim: number | null
  valid_until_ms: number
  priority: number
}

export type PhoneWord = 'Pending' | 'Processed' | 'Sent' | 'Delivered' | 'Failed' | 'Cancelled'

export type KeptMessage = PhoneMessage & {
  state: PhoneWord
  error?: string
  /** When it came to each of its states. */
  states: Partial<Record<PhoneWord, string>>
  /** The server knows of this state. */
  told?: PhoneWord
}

/** What an app keeps on its phone: it is there again when the app was killed. */
export type PhoneMemory = {
  registration?: { id: string; token: string }
  signing_key?: string
  webhooks: { url: string; event: string }[]
  messages: Map<string, KeptMessage>
  /** Posts to webhooks that nobody has acknowledged. */
  posts: { url: string; body: string }[]
  /** Of the app that runs now. */
  tell?: (message: KeptMessage) => void
}

export function newMemory(): PhoneMemory {
  return { webhooks: [], messages: new Map(), posts: [] }
}
