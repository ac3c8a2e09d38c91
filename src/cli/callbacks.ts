import { newSecret } from '../callbacks/signing/signature.ts'
import { readConfig } from '../config/config.ts'
import type { Db } from '../db/connect.ts'
import { openCallbackSecrets, rotateCallbackSecret } from '../organisations/callback-secrets.ts'
import { retireCallbackSecrets } from '../organisations/callback-secret-store.ts'
import type { SecretSeal } from '../values/secrets/secret-seal.ts'
import { form, type Command } from './terminal/command.ts'
import { withDatabase } from './database.ts'
import { OperatorFault } from './terminal/operator-fault.ts'
import { readSecretSeal } from './secret-seal.ts'
import { whichAccount } from './which-organisation.ts'

const ORGANISATION_OPTIONS = { organisation: 'text', test: 'flag' } as const

/** Shows and rotates the secrets that sign callbacks. Each action prints the current ones. */
export const callbacks: Command = [
  form('secret', ORGANISATION_OPTIONS, (values) => show(values)),
  form('rotate', ORGANISATION_OPTIONS, (values) =>
    show(values, (deps, id) => rotateCallbackSecret(deps, id, newSecret())),
  ),
  form('retire', ORGANISATION_OPTIONS, (values) => show(values, ({ db }, id) => retireCallbackSecrets(db, id))),
]

type Change = (deps: { db: Db; secret_seal: SecretSeal }, organisation_id: string) => Promise<unknown>

async function show(values: { organisation?: string; test?: boolean }, change?: Change): Promise<void> {
  const config = readConfig()
  const secrets = await withDatabase(config, async (db) => {
    const organisation_id = await whichAccount(db, values)
    const deps = { db, secret_seal: await readSecretSeal({ db }, config) }
    await change?.(deps, organisation_id)
    return openCallbackSecrets(deps, organisation_id)
  })
  if (secrets.length === 0) throw new OperatorFault(UNREADABLE)
  process.stdout.write(`${secrets.join('\n')}\n`)
}

const UNREADABLE =
  'The secret was sealed with another pepper. Restore the former GANGAN_PEPPER or pepper file, or create a new secret with gangan callbacks rotate.'
