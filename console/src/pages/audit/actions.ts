const ACTIONS: Record<string, string> = {
  'key.create': 'Made a key',
  'key.revoke': 'Revoked a key',
  'key.rotate': 'Rotated a key',
  'user.invite': 'Invited somebody',
  'user.join': 'Accepted an invitation',
  'user.disable': 'Switched somebody off',
  'user.enable': 'Let somebody in again',
  'user.reset': 'Reset a password',
  'user.role': 'Changed somebody’s role',
  'user.password': 'Changed their password',
  'user.totp_on': 'Turned two-factor login on',
  'user.totp_off': 'Turned two-factor login off',
  'user.login': 'Logged in',
  'user.link': 'Came in by a provider for the first time',
  'user.enter_link': 'Made a link to come in by',
  'user.rename': 'Changed their name',
  'user.sessions_end': 'Ended sessions',
  'organisation.create': 'Made an organisation',
  'organisation.suspend': 'Suspended the organisation',
  'organisation.resume': 'Let the organisation send again',
  'balance.top_up': 'Topped up',
  'airtime.settle': 'Decided a purchase',
  'sender.decide': 'Decided on a sender',
  'phone.token': 'Made a new token for phones',
  'phone.forget': 'Forgot a phone',
  'POST /sms/send': 'Sent a message',
  'DELETE /sms/:id': 'Cancelled a message',
  'POST /campaigns/:id/recipients': 'Uploaded people to a campaign',
  'DELETE /campaigns/:id/recipients': 'Took the people off a campaign',
  'POST /campaigns/:id/test': 'Sent a test of a campaign',
  'POST /campaigns/:id/start': 'Started a campaign',
  'POST /campaigns/:id/pause': 'Paused a campaign',
  'POST /campaigns/:id/resume': 'Resumed a campaign',
  'POST /campaigns/:id/cancel': 'Cancelled a campaign',
  'POST /otp/request_token': 'Requested a token',
  'POST /otp/verify': 'Verified a token',
  'DELETE /otp/:id': 'Revoked a token',
  'PATCH /otp/settings': 'Changed OTP settings',
  'DELETE /otp/guard/:prefix': 'Lifted the guard off a prefix',
  'POST /airtime/buy': 'Bought airtime',
  'POST /callbacks/:id/replay': 'Sent a callback again',
  'POST /sandbox/reply': 'Answered from a virtual phone',
  'PATCH /settings': 'Changed settings',
  'POST /senders': 'Asked for a sender',
  'POST /people/erasures': 'Asked to erase a person',
  'POST /optouts': 'Blocked numbers',
  'DELETE /optouts/:id': 'Lifted a block',
  'POST /webhooks': 'Registered a webhook',
  'POST /webhooks/:id/rotate': 'Made a new secret for a webhook',
  'POST /webhooks/:id/test': 'Sent a test to a webhook',
  'POST /webhooks/:id/replay': 'Sent the failed posts of a webhook again',
  'POST /lists/contact/rows/bulk': 'Made several contacts',
  'POST /lists/contact/imports': 'Imported contacts',
  'DELETE /lists/contact/imports/:id': 'Stopped an import',
  'DELETE /lists/contact/sends/:id': 'Stopped a message to a list',
}

const VERBS: Record<string, string> = { POST: 'Made', PUT: 'Replaced', PATCH: 'Changed', DELETE: 'Removed' }
const THINGS: readonly (readonly [RegExp, string])[] = [
  [/contact\/rows?\b/, 'a contact'],
  [/contact\/columns/, 'a column'],
  [/contact\/smartlists/, 'a smartlist'],
  [/contact\/imports/, 'an import'],
  [/contact\/sends/, 'a message to a list'],
  [/campaigns/, 'a campaign'],
  [/templates/, 'a template'],
  [/senders/, 'a sender'],
  [/webhooks/, 'a webhook'],
  [/hooks/, 'a hook'],
]

/**
 * What was done, in words. For a path that nobody has worded yet: what is done with the thing where the path ends in a
 * verb (`/campaigns/:id/pause`), else its method.
 */
export function actionName(action: string): string {
  const worded = ACTIONS[action]
  if (worded !== undefined) return worded
  const [method = '', path = ''] = action.split(' ')
  const made = VERBS[method]
  if (made === undefined) return action.replace('.', ' ').replaceAll('_', ' ')
  const thing = THINGS.find(([pattern]) => pattern.test(path))?.[1] ?? path.replace(/\/:\w+/g, '').slice(1)
  const verb = /\/:\w+\/([\w-]+)$/.exec(path)?.[1]
  return `${verb === undefined ? made : `Asked to ${verb}`} ${thing.replaceAll('/', ' ')}`
}
