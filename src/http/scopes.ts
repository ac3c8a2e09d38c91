import { SCOPES, type Scope } from '../organisations/schema.ts'

/** Scopes a key needs: one, several, or all. */
export type Need = Scope | readonly Scope[] | 'all'

/** Descriptions of the scopes, for the reference. */
export const SCOPE_WORDS: Record<Scope, string> = {
  sms: 'send and read messages; senders, templates, opt-outs and inbound texts.',
  otp: 'send, verify, read and revoke one-time passwords, and list guarded prefixes.',
  airtime: 'buy airtime, and read purchases.',
  lookup: 'look up phone numbers.',
  lists: 'the contact list with its smartlists, import and export. Sending to a smartlist also needs `sms`.',
  settings: 'read and change the settings of messages and one-time passwords, and remove the guard of a prefix.',
  callbacks:
    'webhooks and callbacks, including the texts and numbers in them. A Twilio-style webhook also needs `sms`, because its answers are sent.',
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
