import type { Db } from '../../db/connect.ts'
import { present } from '../../values/record.ts'
import { recordAudit } from '../audit.ts'
import type { Client, Site } from '../deps.ts'
import { findUser } from '../store.ts'
import { TIMEOUT_MS, consumeChallenge, issueChallenge, type Ceremony } from './challenge.ts'
import { advanceCounter, findPasskey, type PasskeyRow } from './passkey-store.ts'
import type { Assertion, AssertionOptions } from './schema.ts'

/** Loaded with the first ceremony: the library and its parsers are large. */
export const webauthn = () => import('@simplewebauthn/server')

/** What a passkey is asked for: alone, or after a password or provider. */
export type AssertionPurpose = Exclude<Ceremony['purpose'], 'register'>

/**
 * Starts a ceremony. It names no passkeys: the browser offers those it has for this host, so that the response does not
 * reveal who has any.
 */
export async function askForPasskey(
  deps: { db: Db },
  { rp_id }: Site,
  purpose: AssertionPurpose,
): Promise<AssertionOptions> {
  const challenge = await issueChallenge(deps, { purpose, user_id: null })
  const userVerification = purpose === 'sign_in' ? 'required' : 'preferred'
  return { challenge, rpId: rp_id, timeout: TIMEOUT_MS, userVerification }
}

/**
 * Verifies that the holder of a passkey signed our challenge on our site, and returns the passkey; undefined if anything
 * is wrong. Without a password the authenticator must have verified the user, by a PIN or fingerprint.
 */
export async function verifyPasskey(
  deps: { db: Db },
  { site, address }: Client,
  purpose: AssertionPurpose,
  assertion: Assertion,
): Promise<PasskeyRow | undefined> {
  const challenge = await consumeChallenge(deps, assertion.response.clientDataJSON, { purpose, user_id: null })
  const passkey = challenge && (await findPasskey(deps.db, Buffer.from(assertion.id, 'base64url')))
  if (!passkey || passkey.rp_id !== site.rp_id || !namesUser(assertion, passkey.user_id)) return undefined
  const proof = await proofOf(passkey, assertion, challenge, site, purpose === 'sign_in')
  if (!proof) return undefined
  if (await advanceCounter(deps.db, passkey, proof.newCounter, proof.credentialBackedUp)) return passkey
  await recordClone(deps, passkey, address)
  return undefined
}

async function proofOf(
  { credential_id, public_key }: PasskeyRow,
  { id, rawId, type, response }: Assertion,
  challenge: string,
  site: Site,
  requireUserVerification: boolean,
) {
  const { verifyAuthenticationResponse } = await webauthn()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { id, rawId, type, response, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.rp_id,
      requireUserVerification,
      // `advanceCounter` compares the counters, so that concurrent uses are noticed, too.
      credential: { id: credential_id.toString('base64url'), publicKey: new Uint8Array(public_key), counter: 0 },
    })
    return verified ? authenticationInfo : undefined
  } catch {
    // The library throws for whatever does not match; the caller learns only that the passkey was refused.
    return undefined
  }
}

/** The handle of a user in passkeys: the bytes of the id, so that it says nothing about the person. */
export function userHandle(user_id: string): string {
  return Buffer.from(user_id.replaceAll('-', ''), 'hex').toString('base64url')
}

function namesUser({ response: { userHandle: given } }: Assertion, user_id: string): boolean {
  return given === undefined || given === userHandle(user_id)
}

async function recordClone(deps: { db: Db }, { user_id, name }: PasskeyRow, address: string): Promise<void> {
  const user = await findUser(deps.db, user_id)
  if (!user) return
  const who = { user_id, actor: user.email ?? '', address }
  const { organisation_id } = user
  const record = { organisation_id, action: 'user.passkey_cloned', subject: user_id, after: present('name', name) }
  await recordAudit(deps.db, who, record)
}
