import { pepperKeys } from '../../src/otp/pepper.ts'
import { makeSecretSeal } from '../../src/values/secrets/secret-seal.ts'

export const PEPPER = 'the pepper of the tests'

/** Seals and opens the secrets of callbacks like a service of the tests. */
export const secret_seal = makeSecretSeal(pepperKeys(PEPPER).secret_key)
