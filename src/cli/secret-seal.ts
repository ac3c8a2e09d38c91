import type { Config } from '../config/config.ts'
import type { Db } from '../db/connect.ts'
import { pepperKeys, readPepper } from '../otp/pepper.ts'
import { makeSecretSeal, type SecretSeal } from '../values/secrets/secret-seal.ts'

/** The seal of stored secrets, as the service with this configuration has it. */
export async function readSecretSeal(deps: { db: Db }, config: Config): Promise<SecretSeal> {
  return makeSecretSeal(pepperKeys(await readPepper(deps, config)).secret_key)
}
