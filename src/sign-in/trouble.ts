import { AuthorizationResponseError, ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client'
import { messageOf } from '../values/thrown.ts'
import { ProviderUnavailable } from './bounded-fetch.ts'

const LONGEST = 200
const DEEPEST_CAUSE = 5

/** The error message for the user. */
export function userMessage(label: string, fault: unknown): string {
  if (isUnavailable(fault)) return `${label} is not responding. Please try again later.`
  if (fault instanceof AuthorizationResponseError || fault instanceof ResponseBodyError) {
    return `${label} reports: ${shortened(fault.error_description ?? fault.error)}`
  }
  return `The response of ${label} could not be verified, so you were not logged in. Please try again.`
}

export function isUnavailable(fault: unknown): boolean {
  return causesOf(fault).some((one) => one instanceof ProviderUnavailable)
}

/** Whether the provider refused the user. Other errors may be temporary. */
export function isRefusal(fault: unknown): boolean {
  return causesOf(fault).some(
    (one) =>
      (one instanceof ResponseBodyError && (one.error === 'invalid_grant' || one.error === 'invalid_token')) ||
      (one instanceof WWWAuthenticateChallengeError && one.status === 401),
  )
}

/** The error and its causes, for the log. */
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
