import { makeBoundedCache } from '../concurrency/bounded-cache.ts'
import type { Log } from '../log.ts'
import { makeSeal } from './seal.ts'

/** Encrypts secrets that are stored in text columns. */
export type SecretSeal = {
  close(secret: string, bound_to: string): string
  /** Undefined when it was sealed under another pepper or for something else. */
  open(stored: string, bound_to: string): string | undefined
}

/** Prefix of a sealed secret. */
const SEALED = 'sealed:'

/** Decrypted secrets kept in memory, so that a batch of callbacks decrypts its secret once. */
const MAX_CACHED_SECRETS = 1_000

/** With a former key, what was sealed under that opens as well. */
export function makeSecretSeal(key: Uint8Array, former_key?: Uint8Array): SecretSeal {
  const seal = makeSeal(key, former_key)
  const opened = makeBoundedCache<string, string>(MAX_CACHED_SECRETS)
  return {
    close: (secret, bound_to) => SEALED + seal.close(secret, bound_to).toString('base64'),
    open(stored, bound_to) {
      if (!stored.startsWith(SEALED)) return undefined
      const place = `${bound_to} ${stored}`
      const known = opened.get(place)
      if (known !== undefined) return known
      const secret = seal.open(Buffer.from(stored.slice(SEALED.length), 'base64'), bound_to)
      if (secret !== undefined) opened.set(place, secret)
      return secret
    },
  }
}

/** The secrets that open, in their order. */
export function openAll(seal: SecretSeal, stored: readonly string[], bound_to: string): string[] {
  return stored.flatMap((one) => seal.open(one, bound_to) ?? [])
}

/** Logs how many secrets do not open. The service starts all the same: the former pepper or a rotation fixes it. */
export function logUnreadableSecrets(log: Log, counts: readonly number[]): void {
  const unreadable = counts.reduce((sum, count) => sum + count, 0)
  if (unreadable > 0) log.error({ unreadable }, UNREADABLE)
}

const UNREADABLE =
  'secrets of callbacks were sealed under another pepper: give back the GANGAN_PEPPER or the file pepper of before, or rotate them; until then their callbacks are not sent'
