import type { ProviderAnswer } from '../numbers/conclude.ts'

/** The back door for lookups: somebody outside who knows a number's present operator, such as an HLR or MNP service. */
export type NumberDirectory = {
  name: string
  /** How long a caller waits for all of its numbers together. */
  timeout_ms: number
  /** Undefined when nothing was learnt, for whatever reason: never throws, and ends soon after `signal` does. */
  ask(msisdn: string, signal: AbortSignal): Promise<ProviderAnswer | undefined>
  stop(): Promise<void>
}
