import { pepperKeys } from '../../src/otp/pepper.ts'
import { makeSecretSeal } from '../../src/values/secrets/secret-seal.ts'

export const PEPPER = 'the pepper of the tests'

/** Opens and closes the secrets of callbacks as a service of the tests does. */
export const secret_seal = makeSecretSeal(pepperKeys(PEPPER).secret_key)
