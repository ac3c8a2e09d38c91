import type { Scope, Right } from '../../types.ts'
import type { ShownKey } from '../../api-types.ts'
import type { Area } from '../../../../src/users/schema.ts'
import { t } from '../../text/text.ts'

export const KEYS = '/console/api/keys'

export const MODES: Record<ShownKey['mode'], string> = { live: t('live||mode'), test: t('test||mode') }

/** What each scope is called, and what it opens. A scope without an entry does not compile. */
const WORDS: Record<Scope, [name: string, sentence: string]> = {
  sms: [t('Messages'), t('Send and read messages; senders, templates, opt-outs and incoming messages.')],
  otp: [t('One-time passwords'), t('Send, verify, read and revoke them.')],
  airtime: [t('Airtime'), t('Buy airtime and view purchases.')],
  lookup: [t('Lookup'), t('Look up a phone number.')],
  lists: [t('Contacts'), t('Rows, columns, smartlists, import and export; with Messages, sending to a smartlist.')],
  settings: [t('Settings'), t('Read and change settings for messages and one-time passwords.')],
  callbacks: [t('Callbacks'), t('Webhooks and their deliveries, including message texts and numbers.')],
  balance: [t('Balance'), t('Read the balance and its ledger.')],
}

export const SCOPES = Object.entries(WORDS).map(([scope, words]) => [scope, ...words] as const)

/** The scopes that the user may grant: those of the user's own role. The scope for the balance is read-only. */
export function scopesFor(right: (area: Area) => Right): typeof SCOPES {
  const may: Record<Scope, boolean> = {
    sms: right('sms') === 'change',
    otp: right('otp') === 'change',
    airtime: right('airtime') === 'change',
    lookup: right('lookup') === 'change',
    lists: right('lists') === 'change',
    settings: right('settings') === 'change',
    callbacks: right('callbacks') === 'change',
    balance: right('balance') !== 'none',
  }
  const given = Object.entries(may).flatMap(([scope, is_given]) => (is_given ? [scope] : []))
  return SCOPES.filter(([scope]) => given.includes(scope))
}

/** Of a key that is to be made; with all scopes there is none to name. */
export function withScopes(scopes: readonly string[]): { scopes?: readonly string[] } {
  return scopes.length < SCOPES.length ? { scopes } : {}
}
