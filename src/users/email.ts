import type { Fault } from '../values/refusal.ts'

const SHAPE = /^[^\s\p{C}@<>"(),:;[\]\\]{1,64}@[^\s\p{C}@<>"(),:;[\]\\]{1,189}$/u

/** Checks the format only: the address is a login name, and Gangan sends no email. */
export function emailFaults(field: string, email: string | undefined): Fault[] {
  if (email === undefined) return [{ field, message: 'This field is required.', type: 'missing' }]
  return SHAPE.test(email.trim()) ? [] : [{ field, message: 'This is not an email address.', type: 'email_invalid' }]
}
