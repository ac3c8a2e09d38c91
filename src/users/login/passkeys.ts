import type { Db } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { newId } from '../../values/id.ts'
import { present } from '../../values/record.ts'
import { Refusal, refuseIfFaulty, type Fault } from '../../values/refusal.ts'
import { recordAudit, type Actor, type AuditRecord } from '../audit.ts'
import type { Site } from '../deps.ts'
import { dropRecoveryCodes, lockUser, type UserRow } from '../store.ts'
import { TIMEOUT_MS, consumeChallenge, issueChallenge } from './challenge.ts'
import { userHandle, webauthn } from './passkey.ts'
import { deletePasskey, insertPasskey, listPasskeys, renamePasskey, type PasskeyRow } from './passkey-store.ts'
import type { Attestation, Passkey, PasskeyBody, RegistrationOptions } from './schema.ts'
import { startRecoveryCodes } from './two-factor.ts'

const MOST_PASSKEYS = 20
/** Ed25519, ES256 and RS256, in COSE's registry: every authenticator has one of them. */
const ALGORITHMS = [-8, -7, -257]

export async function findPasskeys(deps: { db: Db }, { rp_id }: Site, user_id: string): Promise<Passkey[]> {
  return (await listPasskeys(deps.db, user_id)).map((row) => shown(row, rp_id))
}

/** Starts the registration of a passkey. It is discoverable, so that it can also be used without a name or password. */
export async function proposePasskey(
  deps: { db: Db },
  { rp_id }: Site,
  { id, email, name }: UserRow,
): Promise<RegistrationOptions> {
  const known = await listPasskeys(deps.db, id)
  refuseIfFaulty(surplusFaults(known))
  return {
    challenge: await issueChallenge(deps, { purpose: 'register', user_id: id }),
    timeout: TIMEOUT_MS,
    rp: { id: rp_id, name: 'Gangan' },
    user: { id: userHandle(id), name: email ?? '', displayName: name ?? email ?? '' },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    attestation: 'none',
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'preferred' },
    excludeCredentials: known
      .filter((one) => one.rp_id === rp_id)
      .map(({ credential_id }) => ({ type: 'public-key', id: credential_id.toString('base64url') })),
  }
}

/** Registers a passkey. With the first second factor of a user come recovery codes, of which only hashes are stored. */
export async function addPasskey(
  deps: { db: Db },
  who: Actor,
  site: Site,
  user: UserRow,
  { name, credential }: PasskeyBody,
): Promise<{ passkey: Passkey; recovery_codes: string[] }> {
  const made = await readCredential(deps, site, user.id, credential)
  if (!made) throw refusal(unusable('The passkey could not be verified. Please try again.'))
  return transaction(deps.db, async (tx) => {
    await lockUser(tx, user.organisation_id, user.id)
    refuseIfFaulty(surplusFaults(await listPasskeys(tx, user.id)))
    const row = { user_id: user.id, id: newId(), name, rp_id: site.rp_id, ...made }
    if (!(await insertPasskey(tx, row))) throw refusal(unusable('This passkey is already registered.'))
    const recovery_codes = await startRecoveryCodes(tx, user.id)
    await recordAudit(tx, who, recordOf(user, 'user.passkey_add', { after: { name } }))
    const added = (await listPasskeys(tx, user.id)).find(({ id }) => id === row.id)
    if (!added) throw new Error('a new passkey is not there')
    return { passkey: shown(added, site.rp_id), recovery_codes }
  })
}

export async function changePasskey(
  deps: { db: Db },
  who: Actor,
  user: UserRow,
  id: string,
  name: string,
): Promise<void> {
  await transaction(deps.db, async (tx) => {
    const former = await renamePasskey(tx, { user_id: user.id, id }, name)
    if (former === undefined) throw unknown()
    if (former === name) return
    await recordAudit(tx, who, recordOf(user, 'user.passkey_rename', { before: { name: former }, after: { name } }))
  })
}

/** Removes a passkey; the recovery codes go with the last second factor. */
export async function removePasskey(deps: { db: Db }, who: Actor, user: UserRow, id: string): Promise<void> {
  await transaction(deps.db, async (tx) => {
    await lockUser(tx, user.organisation_id, user.id)
    const name = await deletePasskey(tx, { user_id: user.id, id })
    if (name === undefined) throw unknown()
    await dropRecoveryCodes(tx, user.id)
    await recordAudit(tx, who, recordOf(user, 'user.passkey_remove', { before: { name } }))
  })
}

async function readCredential(deps: { db: Db }, site: Site, user_id: string, attestation: Attestation) {
  const { id, rawId, type, response } = attestation
  const challenge = await consumeChallenge(deps, response.clientDataJSON, { purpose: 'register', user_id })
  if (challenge === undefined) return undefined
  const { verifyRegistrationResponse } = await webauthn()
  try {
    const { clientDataJSON, attestationObject } = response
    const { registrationInfo } = await verifyRegistrationResponse({
      response: { id, rawId, type, response: { clientDataJSON, attestationObject }, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.rp_id,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (!registrationInfo) return undefined
    const { credential, credentialBackedUp: backed_up } = registrationInfo
    return {
      credential_id: Buffer.from(credential.id, 'base64url'),
      public_key: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: response.transports ?? [],
      backed_up,
    }
  } catch {
    // The library throws for whatever does not match.
    return undefined
  }
}

function shown(row: PasskeyRow, rp_id: string): Passkey {
  const { id, name, backed_up, created_datetime, used_datetime } = row
  const usable = row.rp_id === rp_id
  return { id, name, host: row.rp_id, usable, backed_up, created_datetime, ...present('used_datetime', used_datetime) }
}

function surplusFaults(known: readonly PasskeyRow[]): Fault[] {
  return known.length < MOST_PASSKEYS ? [] : [unusable(`At most ${MOST_PASSKEYS} passkeys; remove one first.`)]
}

function unusable(message: string): Fault {
  return { field: 'credential', message, type: 'invalid' }
}

function refusal(fault: Fault): Refusal {
  return new Refusal('invalid_request', fault.message, [fault])
}

function unknown(): Refusal {
  return new Refusal('not_found', 'There is no such passkey.')
}

function recordOf({ id, organisation_id }: UserRow, action: string, change: Pick<AuditRecord, 'before' | 'after'>) {
  return { organisation_id, action, subject: id, ...change }
}
