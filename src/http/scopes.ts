import { SCOPES, type Scope } from '../organisations/schema.ts'

/** What a key must have to be let in: one scope, or all of them. */
export type Need = Scope | 'all'

/** What each scope opens, in the words of the reference. */
export const SCOPE_WORDS: Record<Scope, string> = {
  sms: 'send and read messages; senders, templates, opt-outs, and what people write to you.',
  otp: 'send, verify, read and revoke one-time passwords, and see which prefixes are guarded.',
  airtime: 'buy airtime, and read purchases.',
  lookup: 'ask what is known about a phone number.',
  lists: 'the contact list with its smartlists, import and export. Sending to a smartlist needs `sms` as well.',
  settings: 'read and change what holds for all messages and one-time passwords, and lift the guard off a prefix.',
  callbacks: 'webhooks, and whatever is posted to you, with the texts and numbers in it.',
  balance: 'read the balance and its ledger.',
}

export function opens(scopes: readonly Scope[] | null, need: Need): boolean {
  if (scopes === null) return true
  return need === 'all' ? SCOPES.every((scope) => scopes.includes(scope)) : scopes.includes(need)
}
