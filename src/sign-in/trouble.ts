import { AuthorizationResponseError, ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client'
import { messageOf } from '../values/thrown.ts'
import { ProviderAway } from './bounded-fetch.ts'

const LONGEST = 200
const DEEPEST_CAUSE = 5

/** What went wrong on the way in, in a sentence for the person. */
export function troubleSentence(label: string, fault: unknown): string {
  if (isAway(fault)) return `${label} does not answer at the moment. Please try again in a while.`
  if (fault instanceof AuthorizationResponseError || fault instanceof ResponseBodyError) {
    return `${label} says: ${shortened(fault.error_description ?? fault.error)}`
  }
  return `What ${label} sent could not be trusted, so nobody was signed in. Please try again.`
}

export function isAway(fault: unknown): boolean {
  return causesOf(fault).some((one) => one instanceof ProviderAway)
}

/** The provider has answered, and does not let this person in any more. All else may be our fault, or its. */
export function isRefusal(fault: unknown): boolean {
  return causesOf(fault).some(
    (one) =>
      (one instanceof ResponseBodyError && (one.error === 'invalid_grant' || one.error === 'invalid_token')) ||
      (one instanceof WWWAuthenticateChallengeError && one.status === 401),
  )
}

/** For the log: the fault and what caused it. */
export function whyOf(fault: unknown): string {
  return causesOf(fault)
    .map((one) => (one instanceof ResponseBodyError ? `${one.error} ${one.error_description ?? ''}` : messageOf(one)))
    .map(shortened)
    .join(': ')
}

function causesOf(fault: unknown): unknown[] {
  const causes: unknown[] = []
  for (let at = fault; at instanceof Error && causes.length < DEEPEST_CAUSE; at = at.cause) causes.push(at)
  return causes.length === 0 ? [fault] : causes
}

function shortened(text: string): string {
  const clean = text.replace(/\p{C}+/gu, ' ').trim()
  return clean.length <= LONGEST ? clean : `${clean.slice(0, LONGEST)}…`
}
