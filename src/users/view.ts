import { present } from '../values/record.ts'
import type { User } from './schema.ts'
import type { UserRow } from './store.ts'

/** A user as the console shows it, without hashes and secrets. */
export function shownUser(row: UserRow): User {
  return {
    id: row.id,
    ...present('email', row.email),
    ...present('name', row.name),
    ...present('language', row.language),
    role: row.organisation_id === null ? 'operator' : row.role,
    ...present('organisation_id', row.organisation_id),
    totp: row.totp_since !== null,
    passkeys: row.passkeys,
    ...present('recovery_codes_left', row.totp_since === null && row.passkeys === 0 ? null : row.recovery_codes_left),
    state: stateOf(row),
    ...present('provider', row.provider),
    created_datetime: row.created_datetime,
    ...present('last_login_datetime', row.last_login_datetime),
  }
}

function stateOf({ disabled_datetime, password_hash, issuer }: UserRow): User['state'] {
  if (disabled_datetime !== null) return 'disabled'
  return password_hash === null && issuer === null ? 'invited' : 'active'
}
