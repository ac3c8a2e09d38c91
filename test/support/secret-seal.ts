import { keptOf, pepperKeys, type InstallationKeys } from '../../src/otp/pepper.ts'
import { makeSeal } from '../../src/values/secrets/seal.ts'
import { makeSecretSeal } from '../../src/values/secrets/secret-seal.ts'

export const PEPPER = 'the pepper of the tests'

/** Seals and opens the secrets of callbacks like a service of the tests. */
export const secret_seal = makeSecretSeal(pepperKeys(PEPPER).secret_key)

/** The keys of an installation whose pepper was never rotated. */
export function keysOf(pepper: string): InstallationKeys {
  const keys = pepperKeys(pepper)
  return {
    ...keys,
    ...keptOf(keys),
    former: undefined,
    seal: makeSeal(keys.seal_key),
    secret_seal: makeSecretSeal(keys.secret_key),
  }
}
