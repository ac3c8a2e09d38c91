import type { Config } from '../config/config.ts'
import type { Db } from '../db/connect.ts'
import { pepperKeys, readPepper } from '../otp/pepper.ts'
import { makeSecretSeal, type SecretSeal } from '../values/secrets/secret-seal.ts'

/** Opens and closes the secrets of callbacks, as the service with this configuration does. */
export async function readSecretSeal(deps: { db: Db }, config: Config): Promise<SecretSeal> {
  return makeSecretSeal(pepperKeys(await readPepper(deps, config)).secret_key)
}
