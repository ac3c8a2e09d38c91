import type { Seal } from '../values/secrets/seal.ts'
import type { Attempt, Tokens } from './provider.ts'

const LONGEST_COOKIE = 2_000
/** Maximum time between the redirect to the provider and the return. */
export const ATTEMPT_S = 10 * 60

export function sealTokens({ seal }: { seal: Seal }, session_id: string, tokens: Tokens): Buffer {
  return seal.close(JSON.stringify(tokens), boundTo(session_id))
}

/** Undefined if the pepper was changed. */
export function openTokens({ seal }: { seal: Seal }, session_id: string, sealed: Buffer): Tokens | undefined {
  const opened = seal.open(sealed, boundTo(session_id))
  if (opened === undefined) return undefined
  const tokens: Tokens = JSON.parse(opened)
  return tokens
}

/** Encrypts the state of a sign-in for a cookie, with an expiry. */
export function sealAttempt({ seal }: { seal: Seal }, attempt: Attempt): string {
  const until = Date.now() + ATTEMPT_S * 1_000
  return seal.close(JSON.stringify({ ...attempt, until }), 'sign-in').toString('base64url')
}

export function openAttempt({ seal }: { seal: Seal }, cookie: string | undefined): Attempt | undefined {
  if (cookie === undefined || cookie.length > LONGEST_COOKIE) return undefined
  const opened = seal.open(Buffer.from(cookie, 'base64url'), 'sign-in')
  if (opened === undefined) return undefined
  const attempt: Attempt & { until: number } = JSON.parse(opened)
  return attempt.until > Date.now() ? attempt : undefined
}

/** Encrypts a message for the next page, so that no other site can set its text. */
export function sealSentence({ seal }: { seal: Seal }, sentence: string): string {
  return seal.close(sentence, 'sign-in sentence').toString('base64url')
}

export function openSentence({ seal }: { seal: Seal }, cookie: string | undefined): string | undefined {
  if (cookie === undefined || cookie.length > LONGEST_COOKIE) return undefined
  return seal.open(Buffer.from(cookie, 'base64url'), 'sign-in sentence')
}

export function boundTo(session_id: string): string {
  return `provider session ${session_id}`
}
