export type Key = {
  id: string
  hint: string
  mode: 'live' | 'test'
  name?: string
  /** Absent: all of them. */
  scopes?: string[]
  state: 'active' | 'expired' | 'revoked'
  expires_datetime?: string
  revoked_datetime?: string
  created_datetime: string
}

export const KEYS = '/console/api/keys'

export const SCOPES = [
  ['sms', 'Messages'],
  ['otp', 'One-time passwords'],
  ['airtime', 'Airtime'],
  ['lookup', 'Lookup'],
  ['lists', 'Contacts'],
] as const
