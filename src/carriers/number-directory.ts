import type { ProviderAnswer } from '../numbers/conclude.ts'

/** The interface of a lookup provider that knows a number's current operator, such as an HLR or MNP service. */
export type NumberDirectory = {
  name: string
  /** How long a caller waits for all of its numbers together. */
  timeout_ms: number
  /** Undefined if there is no answer, for any reason. Never rejects, and resolves soon after `signal` aborts. */
  ask(msisdn: string, signal: AbortSignal): Promise<ProviderAnswer | undefined>
  stop(): Promise<void>
}
