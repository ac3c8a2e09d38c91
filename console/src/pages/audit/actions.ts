import { t } from '../../text/text.ts'

const ACTIONS: Record<string, string> = {
  'key.create': t('Created a key'),
  'key.revoke': t('Revoked a key'),
  'key.rotate': t('Rotated a key'),
  'key.limit': t('Changed the spending limit of a key'),
  'user.invite': t('Invited a user'),
  'user.join': t('Accepted an invitation'),
  'user.disable': t('Disabled a user'),
  'user.enable': t('Enabled a user'),
  'user.reset': t('Reset a password'),
  'user.role': t('Changed a user’s role'),
  'user.password': t('Changed their password'),
  'user.totp_on': t('Enabled two-factor login'),
  'user.totp_off': t('Disabled two-factor login'),
  'user.passkey_add': t('Added a passkey'),
  'user.passkey_remove': t('Removed a passkey'),
  'user.passkey_rename': t('Renamed a passkey'),
  'user.passkey_cloned': t('Tried to log in with a cloned passkey'),
  'user.login': t('Logged in'),
  'user.link': t('Logged in with a provider for the first time'),
  'user.enter_link': t('Created a link to log in with'),
  'user.rename': t('Changed their name'),
  'user.sessions_end': t('Ended sessions'),
  'organisation.create': t('Created an organisation'),
  'organisation.suspend': t('Suspended the organisation'),
  'organisation.resume': t('Reactivated the organisation'),
  'organisation.limit': t('Changed the limits of the organisation'),
  'balance.top_up': t('Topped up'),
  'airtime.settle': t('Decided a purchase'),
  'sender.decide': t('Decided on a sender'),
  'carrier.create': t('Created a carrier'),
  'carrier.update': t('Changed a carrier'),
  'carrier.delete': t('Deleted a carrier'),
  'carrier.reorder': t('Reordered the carriers'),
  'carrier.test': t('Sent a test message through a carrier'),
  'route.create': t('Created a route'),
  'route.update': t('Changed a route'),
  'route.delete': t('Deleted a route'),
  'route.reorder': t('Reordered the routes'),
  'carrier.pause': t('Paused a carrier'),
  'carrier.drain': t('Drained a carrier'),
  'carrier.resume': t('Resumed a carrier'),
  'route.pause': t('Paused a route'),
  'route.drain': t('Drained a route'),
  'route.resume': t('Resumed a route'),
  'route.move': t('Moved messages to another route'),
  'message.requeue': t('Requeued a message'),
  'message.cancel': t('Canceled a message as operator'),
  'blocklist.add': t('Blocked numbers for all organisations'),
  'blocklist.import': t('Imported a block list'),
  'blocklist.remove': t('Unblocked a number for all organisations'),
  'prices.create': t('Created a price list'),
  'prices.delete': t('Deleted a price list'),
  'prices.default': t('Chose the default price list'),
  'prices.assign': t('Assigned a price list'),
  'prices.below_cost': t('Chose what happens to prices below cost'),
  'prices.fees': t('Changed the fees of a price list'),
  'prices.set': t('Set a price||in the past'),
  'prices.import': t('Imported a rate sheet'),
  'prices.undo': t('Undid the import of a rate sheet'),
  'costs.assign': t('Assigned a cost list'),
  'probes.create': t('Created a plan of probes'),
  'probes.update': t('Changed a plan of probes'),
  'probes.delete': t('Deleted a plan of probes'),
  'probes.run': t('Sent a probe'),
  'phone.token': t('Created a new token for phones'),
  'phone.forget': t('Removed a phone'),
  'POST /sms/send': t('Sent a message'),
  'DELETE /sms/:id': t('Canceled a message'),
  'POST /conversations/:phone/messages': t('Answered a conversation'),
  'POST /conversations/:phone/assign': t('Assigned a conversation'),
  'POST /conversations/:phone/close': t('Closed a conversation'),
  'POST /conversations/:phone/reopen': t('Reopened a conversation'),
  'POST /conversations/:phone/notes': t('Added a note to a conversation'),
  'DELETE /notes/:note_id': t('Deleted a note of a conversation'),
  'POST /conversations/:phone/read': t('Read a conversation'),
  'POST /campaigns': t('Created a campaign'),
  'PATCH /campaigns/:id': t('Changed a campaign'),
  'POST /campaigns/:id/recipients': t('Uploaded people to a campaign'),
  'DELETE /campaigns/:id/recipients': t('Removed the recipients of a campaign'),
  'POST /campaigns/:id/test': t('Sent a test of a campaign'),
  'POST /campaigns/:id/start': t('Started a campaign'),
  'POST /campaigns/:id/pause': t('Paused a campaign'),
  'POST /campaigns/:id/resume': t('Resumed a campaign'),
  'POST /campaigns/:id/cancel': t('Canceled a campaign'),
  'POST /campaigns/:id/copy': t('Duplicated a campaign'),
  'POST /campaigns/:id/resend': t('Prepared a campaign for failed recipients'),
  'POST /otp/request_token': t('Requested a token'),
  'POST /otp/verify': t('Verified a token'),
  'DELETE /otp/:id': t('Revoked a token'),
  'PATCH /otp/settings': t('Changed OTP settings'),
  'DELETE /otp/guard/:prefix': t('Unblocked a prefix'),
  'POST /airtime/buy': t('Bought airtime'),
  'POST /callbacks/:id/replay': t('Sent a callback again'),
  'POST /sandbox/reply': t('Answered from a virtual phone'),
  'PATCH /settings': t('Changed settings'),
  'POST /senders': t('Requested a sender'),
  'PATCH /senders/:id': t('Changed a sender'),
  'DELETE /senders/:id': t('Deleted a sender'),
  'POST /templates': t('Created a template'),
  'PATCH /templates/:id': t('Changed a template'),
  'DELETE /templates/:id': t('Deleted a template'),
  'POST /whatsapp/templates': t('Created a WhatsApp template'),
  'PATCH /whatsapp/templates/:id': t('Changed a WhatsApp template'),
  'DELETE /whatsapp/templates/:id': t('Deleted a WhatsApp template'),
  'POST /people/erasures': t('Requested the erasure of a person'),
  'POST /optouts': t('Blocked numbers'),
  'DELETE /optouts/:id': t('Unblocked a number'),
  'POST /webhooks': t('Registered a webhook'),
  'PATCH /webhooks/:id': t('Changed a webhook'),
  'DELETE /webhooks/:id': t('Deleted a webhook'),
  'POST /webhooks/:id/rotate': t('Created a new secret for a webhook'),
  'POST /webhooks/:id/test': t('Sent a test to a webhook'),
  'POST /webhooks/:id/replay': t('Sent the failed callbacks of a webhook again'),
  'POST /hooks': t('Created a hook'),
  'DELETE /hooks/:name': t('Deleted a hook'),
  'POST /smpp/accounts': t('Created an SMPP account'),
  'DELETE /smpp/accounts/:system_id': t('Deleted an SMPP account'),
  'POST /lists/contact/rows': t('Created a contact'),
  'PATCH /lists/contact/rows/:row_id': t('Changed a contact'),
  'DELETE /lists/contact/rows/:row_id': t('Deleted a contact'),
  'PATCH /lists/contact/row/:row_id': t('Changed a contact'),
  'DELETE /lists/contact/row/:row_id': t('Deleted a contact'),
  'POST /lists/contact/columns': t('Created a column'),
  'PATCH /lists/contact/columns/:column_id': t('Changed a column'),
  'DELETE /lists/contact/columns/:column_id': t('Deleted a column'),
  'POST /lists/contact/smartlists': t('Created a smartlist'),
  'PATCH /lists/contact/smartlists/:id': t('Changed a smartlist'),
  'DELETE /lists/contact/smartlists/:id': t('Deleted a smartlist'),
  'POST /lists/contact/rows/bulk': t('Created several contacts'),
  'POST /lists/contact/columns/:column_id/conversions': t('Converted a contact column'),
  'POST /lists/contact/conversions/:id/undo': t('Undid the conversion of a contact column'),
  'POST /lists/contact/changes': t('Changed or deleted several contacts'),
  'POST /lists/contact/changes/:id/undo': t('Undid a change of several contacts'),
  'POST /lists/contact/imports': t('Imported contacts'),
  'DELETE /lists/contact/imports/:id': t('Stopped an import'),
  'POST /lists/contact/sends': t('Created a message to a list'),
  'DELETE /lists/contact/sends/:id': t('Stopped a message to a list'),
}

/** For actions without a text of their own. */
const THINGS: readonly (readonly [RegExp, string])[] = [
  [/contact\/rows?\b/, t('a contact')],
  [/contact\/columns/, t('a column')],
  [/contact\/smartlists/, t('a smartlist')],
  [/contact\/imports/, t('an import')],
  [/contact\/sends/, t('a message to a list')],
  [/campaigns/, t('a campaign')],
  [/templates/, t('a template')],
  [/senders/, t('a sender')],
  [/webhooks/, t('a webhook')],
  [/hooks/, t('a hook')],
]

/**
 * The text of an action. For a path without a text of its own, it is derived from the verb at the end of the path
 * (`/campaigns/:id/pause`), else from the method.
 */
/** The actions that have a name, by name: the choices of the filter. */
export const NAMED_ACTIONS: readonly (readonly [action: string, name: string])[] = Object.entries(ACTIONS).toSorted(
  ([, a], [, b]) => a.localeCompare(b),
)

export function actionName(action: string): string {
  const worded = ACTIONS[action]
  if (worded !== undefined) return worded
  const [method = '', path = ''] = action.split(' ')
  const found = THINGS.find(([pattern]) => pattern.test(path))?.[1] ?? path.replace(/\/:\w+/g, '').slice(1)
  const thing = found.replaceAll('/', ' ')
  const verb = /\/:\w+\/([\w-]+)$/.exec(path)?.[1]
  if (verb !== undefined) return t('Asked to {verb} {thing}', { verb, thing })
  switch (method) {
    case 'POST':
      return t('Created {thing}', { thing })
    case 'PUT':
      return t('Replaced {thing}', { thing })
    case 'PATCH':
      return t('Changed {thing}', { thing })
    case 'DELETE':
      return t('Deleted {thing}', { thing })
    default:
      return action.replace('.', ' ').replaceAll('_', ' ')
  }
}
