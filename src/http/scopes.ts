import { SCOPES, type Scope } from '../organisations/schema.ts'

/** Scopes a key needs: one, several, or all. */
export type Need = Scope | readonly Scope[] | 'all'

/** Descriptions of the scopes, for the reference. */
export const SCOPE_WORDS: Record<Scope, string> = {
  sms: 'send and read messages; senders, templates, opt-outs, and what people write to you.',
  otp: 'send, verify, read and revoke one-time passwords, and see which prefixes are guarded.',
  airtime: 'buy airtime, and read purchases.',
  lookup: 'ask what is known about a phone number.',
  lists: 'the contact list with its smartlists, import and export. Sending to a smartlist needs `sms` as well.',
  settings: 'read and change what holds for all messages and one-time passwords, and lift the guard off a prefix.',
  callbacks:
    'webhooks, and whatever is posted to you, with the texts and numbers in it. A webhook in the form of Twilio needs `sms` as well: what it answers is sent.',
  balance: 'read the balance and its ledger.',
}

/** The first scope that is needed and missing. */
export function missing(scopes: readonly Scope[], need: Need): Scope | undefined {
  return scopesOf(need).find((scope) => !scopes.includes(scope))
}

export function scopesOf(need: Need): readonly Scope[] {
  if (need === 'all') return SCOPES
  return typeof need === 'string' ? [need] : need
}
