import { newSecret } from '../../callbacks/signing/signature.ts'
import { readConfig } from '../../config/config.ts'
import type { Db } from '../../db/connect.ts'
import { openCallbackSecrets, rotateCallbackSecret } from '../../organisations/callback-secrets.ts'
import { retireCallbackSecrets } from '../../organisations/callback-secret-store.ts'
import type { SecretSeal } from '../../values/secrets/secret-seal.ts'
import { form, type Command } from '../terminal/command.ts'
import { OperatorFault } from '../terminal/operator-fault.ts'
import type { Result } from '../terminal/result.ts'
import { readSecretSeal } from '../secret-seal.ts'
import { ACCOUNT, withAccount, type Account } from './which-organisation.ts'

/** Shows and rotates the secrets that sign callbacks. Each action prints the current ones. */
export const callbacks: Command = [
  form('secret', 'show the secret that signs callbacks', ACCOUNT, (given) => show(given)),
  form('rotate', 'create a new one; both sign until the old one is retired', ACCOUNT, (given) =>
    show(given, (deps, id) => rotateCallbackSecret(deps, id, newSecret())),
  ),
  form('retire', 'remove the old one', ACCOUNT, (given) => show(given, ({ db }, id) => retireCallbackSecrets(db, id))),
]

type Change = (deps: { db: Db; secret_seal: SecretSeal }, organisation_id: string) => Promise<unknown>

async function show(given: Account, change?: Change): Promise<Result> {
  const config = readConfig()
  const secrets = await withAccount(
    given,
    async (db, organisation_id) => {
      const deps = { db, secret_seal: await readSecretSeal({ db }, config) }
      await change?.(deps, organisation_id)
      return openCallbackSecrets(deps, organisation_id)
    },
    config,
  )
  if (secrets.length === 0) throw new OperatorFault(UNREADABLE)
  return { data: { secrets }, text: `${secrets.join('\n')}\n` }
}

const UNREADABLE =
  'The secret was sealed with another pepper. Restore the former GANGAN_PEPPER or pepper file, or create a new secret with gangan callbacks rotate.'
