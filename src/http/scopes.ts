import type { FastifyInstance } from 'fastify'
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

/**
 * Which operation needs what; the one place that says so. A route for keys that is not listed keeps the server from
 * starting. HEAD needs what GET does.
 */
export const NEEDS: Readonly<Record<string, Need>> = {
  'POST /sms/send': 'sms', // and `lists` for a message to a smartlist
  'POST /sms/estimate': 'sms',
  'GET /sms': 'sms',
  'GET /sms/:id': 'sms',
  'DELETE /sms/:id': 'sms',
  'GET /senders': 'sms',
  'POST /senders': 'sms',
  'GET /senders/:id': 'sms',
  'PATCH /senders/:id': 'sms',
  'DELETE /senders/:id': 'sms',
  'GET /optouts': 'sms',
  'POST /optouts': 'sms',
  'DELETE /optouts/:id': 'sms',
  'GET /inbound': 'sms',
  'GET /inbound/:id': 'sms',
  'POST /templates': 'sms',
  'GET /templates': 'sms',
  'GET /templates/:id': 'sms',
  'PATCH /templates/:id': 'sms',
  'DELETE /templates/:id': 'sms',
  'GET /lists/contact/sends/:id': 'sms',
  'DELETE /lists/contact/sends/:id': 'sms',

  'POST /otp/request_token': 'otp',
  'POST /otp/verify': 'otp',
  'GET /otp/:id': 'otp',
  'DELETE /otp/:id': 'otp',
  'GET /otp/get-by-recipient': 'otp',
  'GET /otp/get_by_recipient': 'otp',
  'GET /otp/get-by-recipient/:recipient': 'otp',
  'GET /otp/get_by_recipient/:recipient': 'otp',
  'GET /otp/guard': 'otp',

  'POST /airtime/buy': 'airtime',
  'GET /airtime': 'airtime',
  'GET /airtime/:id': 'airtime',

  'GET /lookup/phone': 'lookup',
  'POST /lookup/phone': 'lookup',
  'POST /lookup/phones': 'lookup',

  'GET /lists/contact': 'lists',
  'GET /lists/contact/rows': 'lists',
  'POST /lists/contact/rows': 'lists',
  'POST /lists/contact/rows/bulk': 'lists',
  'POST /lists/contact/rows/query': 'lists',
  'GET /lists/contact/rows/export': 'lists',
  'POST /lists/contact/rows/export': 'lists',
  'GET /lists/contact/row/:row_id': 'lists',
  'PATCH /lists/contact/row/:row_id': 'lists',
  'DELETE /lists/contact/row/:row_id': 'lists',
  'GET /lists/contact/rows/:row_id': 'lists',
  'PATCH /lists/contact/rows/:row_id': 'lists',
  'DELETE /lists/contact/rows/:row_id': 'lists',
  'GET /lists/contact/columns': 'lists',
  'POST /lists/contact/columns': 'lists',
  'PATCH /lists/contact/columns/:column_id': 'lists',
  'DELETE /lists/contact/columns/:column_id': 'lists',
  'GET /lists/contact/smartlists': 'lists',
  'POST /lists/contact/smartlists': 'lists',
  'GET /lists/contact/smartlists/:id': 'lists',
  'PATCH /lists/contact/smartlists/:id': 'lists',
  'DELETE /lists/contact/smartlists/:id': 'lists',
  'POST /lists/contact/imports': 'lists',
  'GET /lists/contact/imports': 'lists',
  'GET /lists/contact/imports/:id': 'lists',
  'GET /lists/contact/imports/:id/rejects': 'lists',
  'DELETE /lists/contact/imports/:id': 'lists',

  // A stolen key for OTPs must not give a number a fixed token, nor lift the guard it has run into.
  'GET /settings': 'settings',
  'PATCH /settings': 'settings',
  'GET /otp/settings': 'settings',
  'PATCH /otp/settings': 'settings',
  'DELETE /otp/guard/:prefix': 'settings',

  // What is told has everything in it, texts that people wrote as well.
  'GET /callbacks': 'callbacks',
  'GET /callbacks/:id': 'callbacks',
  'POST /callbacks/:id/replay': 'callbacks',
  'GET /webhooks': 'callbacks',
  'POST /webhooks': 'callbacks',
  'GET /webhooks/:id': 'callbacks',
  'PATCH /webhooks/:id': 'callbacks',
  'DELETE /webhooks/:id': 'callbacks',
  'POST /webhooks/:id/rotate': 'callbacks',
  'POST /webhooks/:id/test': 'callbacks',
  'POST /webhooks/:id/replay': 'callbacks',

  'GET /balance': 'balance',

  // A virtual handset shows OTPs in clear and answers as its owner would.
  'GET /sandbox/messages': 'all',
  'POST /sandbox/reply': 'all',
}

/** Gives every route for keys what it needs, and tells the reference. */
export function takeScopes(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (!route.config?.for_keys) return
    const operation = `${route.method === 'HEAD' ? 'GET' : String(route.method)} ${route.url}`
    const scope = NEEDS[operation]
    if (scope === undefined) throw new Error(`src/http/scopes.ts does not say what ${operation} needs`)
    route.config = { ...route.config, scope }
    const told = { security: [{ key: scope === 'all' ? SCOPES : [scope] }] }
    route.schema = { ...route.schema, ...told }
  })
}

export function opens(scopes: readonly Scope[] | null, need: Need): boolean {
  if (scopes === null) return true
  return need === 'all' ? SCOPES.every((scope) => scopes.includes(scope)) : scopes.includes(need)
}
