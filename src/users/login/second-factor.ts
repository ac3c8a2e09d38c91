import { Refusal, type Fault } from '../../values/refusal.ts'
import type { Client, UserDeps } from '../deps.ts'
import type { UserRow } from '../store.ts'
import { admitCode, type Admitted } from './limits.ts'
import { verifyPasskey } from './passkey.ts'
import type { Factors, SecondFactor } from './schema.ts'
import { takeCode } from './two-factor.ts'

/** Empty: two-factor login is off. */
export function factorsOf({ totp_since, passkeys }: UserRow): Factors {
  return [...(passkeys > 0 ? ['passkey' as const] : []), ...(totp_since === null ? [] : ['code' as const])]
}

/** Requires the second factor of a user who has one. A passkey cannot be guessed; codes are counted. */
export async function requireSecondFactor(
  deps: Pick<UserDeps, 'db' | 'seal'>,
  client: Client,
  admitted: Pick<Admitted, 'on_known_device'>,
  user: UserRow,
  { code, passkey }: SecondFactor,
): Promise<void> {
  const factors = factorsOf(user)
  if (factors.length === 0) return
  if (passkey) {
    const verified = await verifyPasskey(deps, client, 'second_factor', passkey)
    if (verified?.user_id !== user.id) throw refusedPasskey()
    return
  }
  if (code === undefined || code.trim() === '') throw refused(factors.map(missing))
  const reset = await admitCode(deps, admitted, user.id)
  if (!(await takeCode(deps, user, code))) {
    throw refused([{ field: 'code', message: 'The code is wrong or has already been used.', type: 'invalid' }])
  }
  await reset()
}

export function refusedPasskey(): Refusal {
  return refused([{ field: 'passkey', message: 'This passkey is not accepted.', type: 'invalid' }])
}

function missing(field: Factors[number]): Fault {
  const message = field === 'code' ? 'A code from your authenticator app is required.' : 'A passkey is required.'
  return { field, message, type: 'missing' }
}

function refused(faults: Fault[]): Refusal {
  return new Refusal('unauthenticated', faults[0]?.message ?? '', faults)
}
