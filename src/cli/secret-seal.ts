import type { Config } from '../config/config.ts'
import type { Db } from '../db/connect.ts'
import { readKeys } from '../otp/pepper.ts'
import type { SecretSeal } from '../values/secrets/secret-seal.ts'

/** The seal of stored secrets, as the service with this configuration has it. */
export async function readSecretSeal(deps: { db: Db }, config: Config): Promise<SecretSeal> {
  return (await readKeys(deps, config)).secret_seal
}
