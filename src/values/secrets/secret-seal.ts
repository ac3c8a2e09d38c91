import { makeBoundedCache } from '../concurrency/bounded-cache.ts'
import type { Log } from '../log.ts'
import { makeSeal } from './seal.ts'

/** Keeps secrets in columns of text, where those from before they were sealed stand in clear. */
export type SecretSeal = {
  close(secret: string, bound_to: string): string
  /** A secret in clear is itself. Undefined when it was sealed under another pepper or for something else. */
  open(stored: string, bound_to: string): string | undefined
}

/** How a sealed secret begins; no secret in clear does. Stores look for those that do not begin so. */
export const SEALED = 'sealed:'

/** Decrypted secrets kept in memory, so that a batch of callbacks decrypts its secret once. */
const MAX_CACHED_SECRETS = 1_000

export function makeSecretSeal(key: Uint8Array): SecretSeal {
  const seal = makeSeal(key)
  const opened = makeBoundedCache<string, string>(MAX_CACHED_SECRETS)
  return {
    close: (secret, bound_to) => SEALED + seal.close(secret, bound_to).toString('base64'),
    open(stored, bound_to) {
      if (!stored.startsWith(SEALED)) return stored
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

/** Seals a secret that stands in clear; one that is sealed, under whatever pepper, stays as it is. */
export function sealIfClear(seal: SecretSeal, stored: string, bound_to: string): string {
  return stored.startsWith(SEALED) ? stored : seal.close(stored, bound_to)
}

/** No reason not to start: everything else works, and the right pepper, or a rotation, mends it. */
export function tellUnreadable(log: Log, found: readonly { unreadable: number }[]): void {
  const unreadable = found.reduce((sum, one) => sum + one.unreadable, 0)
  if (unreadable > 0) log.error({ unreadable }, UNREADABLE)
}

const UNREADABLE =
  'secrets of callbacks were sealed under another pepper: give back the GANGAN_PEPPER or the file pepper of before, or rotate them; until then their callbacks are not sent'
