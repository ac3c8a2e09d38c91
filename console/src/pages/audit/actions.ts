const ACTIONS: Record<string, string> = {
  'key.create': 'Made a key',
  'key.revoke': 'Revoked a key',
  'key.rotate': 'Rotated a key',
  'user.invite': 'Invited somebody',
  'user.disable': 'Switched somebody off',
  'user.enable': 'Let somebody in again',
  'user.reset': 'Reset a password',
  'user.password': 'Changed their password',
  'user.totp_on': 'Turned two-factor login on',
  'user.totp_off': 'Turned two-factor login off',
  'user.login': 'Logged in',
  'user.rename': 'Changed their name',
  'user.sessions_end': 'Ended sessions',
  'organisation.create': 'Made an organisation',
  'balance.top_up': 'Topped up',
  'airtime.settle': 'Decided a purchase',
  'sender.decide': 'Decided on a sender',
  'phone.token': 'Made a new token for phones',
  'phone.forget': 'Forgot a phone',
  'POST /sms/send': 'Sent a message',
  'POST /campaigns/:id/recipients': 'Uploaded people to a campaign',
  'DELETE /campaigns/:id/recipients': 'Took the people off a campaign',
  'POST /campaigns/:id/test': 'Sent a test of a campaign',
  'POST /campaigns/:id/start': 'Started a campaign',
  'POST /campaigns/:id/pause': 'Paused a campaign',
  'POST /campaigns/:id/resume': 'Resumed a campaign',
  'POST /campaigns/:id/cancel': 'Cancelled a campaign',
  'DELETE /sms/:id': 'Took a message back',
  'POST /otp/request_token': 'Requested a token',
  'POST /otp/verify': 'Verified a token',
  'PATCH /otp/settings': 'Changed OTP settings',
  'DELETE /otp/guard/:prefix': 'Lifted the guard off a prefix',
  'POST /airtime/buy': 'Bought airtime',
  'POST /callbacks/:id/replay': 'Sent a callback again',
  'POST /sandbox/reply': 'Answered from a virtual phone',
  'PATCH /settings': 'Changed settings',
}

const VERBS: Record<string, string> = { POST: 'Made', PUT: 'Replaced', PATCH: 'Changed', DELETE: 'Removed' }
const THINGS: readonly (readonly [RegExp, string])[] = [
  [/contact\/rows/, 'a contact'],
  [/contact\/columns/, 'a column'],
  [/contact\/smartlists/, 'a smartlist'],
  [/contact\/imports/, 'an import'],
  [/contact\/sends/, 'a message to a list'],
  [/templates/, 'a template'],
  [/senders/, 'a sender'],
  [/optouts/, 'an opt-out'],
  [/webhooks/, 'a webhook'],
]

/** What was done, in words; for a path nobody has worded yet, the verb and the path's own words. */
export function actionName(action: string): string {
  const worded = ACTIONS[action]
  if (worded !== undefined) return worded
  const [method = '', path = ''] = action.split(' ')
  const verb = VERBS[method]
  if (verb === undefined) return action.replace('.', ' ').replaceAll('_', ' ')
  const thing = THINGS.find(([pattern]) => pattern.test(path))?.[1] ?? path.replace(/\/:?\w*id\b/g, '').slice(1)
  return `${verb} ${thing.replaceAll('/', ' ')}`
}
