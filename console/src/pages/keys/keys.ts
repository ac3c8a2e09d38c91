import type { Scope } from '../../../../src/organisations/schema.ts'

export const KEYS = '/console/api/keys'

/** What each scope is called, and what it opens. A scope without an entry does not compile. */
const WORDS: Record<Scope, [name: string, sentence: string]> = {
  sms: ['Messages', 'Send and read them; senders, templates, opt-outs, and what people write to you.'],
  otp: ['One-time passwords', 'Send, verify, read and revoke them.'],
  airtime: ['Airtime', 'Buy it, and read purchases.'],
  lookup: ['Lookup', 'Ask what is known about a number.'],
  lists: ['Contacts', 'Rows, columns, smartlists, import and export; with Messages, sending to a smartlist.'],
  settings: ['Settings', 'Read and change what holds for all messages and one-time passwords.'],
  callbacks: ['Callbacks', 'Webhooks, and whatever is posted to them, with texts and numbers in it.'],
  balance: ['Balance', 'Read the balance and its ledger.'],
}

export const SCOPES = Object.entries(WORDS).map(([scope, words]) => [scope, ...words] as const)
