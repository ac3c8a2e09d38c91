import type { Assertion } from './api-types.ts'
import { ApiError, call } from './api.ts'
import { t } from './text/text.ts'

/** Whether this browser can use passkeys here: over https or on localhost, and never at an IP address. */
export function hasPasskeys(): boolean {
  const is_ip = /^[\d.]+$|^\[/.test(location.hostname)
  return isSecureContext && 'PublicKeyCredential' in window && !is_ip
}

/** Has the browser sign a challenge with a passkey. */
export async function signWithPasskey(purpose: 'sign_in' | 'second_factor'): Promise<Assertion> {
  const { options } = await call('POST', '/console/api/passkeys/challenge', { purpose })
  const { startAuthentication } = await import('@simplewebauthn/browser')
  return startAuthentication({ optionsJSON: options }).catch(refused)
}

/** Has the browser make a passkey. */
export async function makePasskey(password: string) {
  const { options } = await call('POST', '/console/api/me/passkeys/challenge', { password })
  const { startRegistration } = await import('@simplewebauthn/browser')
  return startRegistration({ optionsJSON: options }).catch(refused)
}

/** What the browser says is for developers; most often the user has closed its dialog. */
function refused(fault: unknown): never {
  if (fault instanceof ApiError) throw fault
  const is_known = fault instanceof Error && fault.name === 'InvalidStateError'
  throw new ApiError(
    0,
    is_known
      ? t('This device already has a passkey for your account.')
      : t('The passkey was not used. Please try again.'),
    [],
  )
}
