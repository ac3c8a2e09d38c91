import { newSecret } from '../callbacks/signature.ts'
import { readConfig } from '../config/config.ts'
import type { Db } from '../db/connect.ts'
import { addCallbackSecret, readCallbackSecrets, retireCallbackSecrets } from '../organisations/store.ts'
import { form, type Command } from './command.ts'
import { withDatabase } from './database.ts'
import { whichAccount } from './which-organisation.ts'

const WHOSE = { organisation: 'text', test: 'flag' } as const

/** Shows and rotates the secret callbacks are signed with. Each action ends by showing what signs now. */
export const callbacks: Command = [
  form('secret', WHOSE, (values) => show(values)),
  form('rotate', WHOSE, (values) => show(values, (db, id) => addCallbackSecret(db, id, newSecret()))),
  form('retire', WHOSE, (values) => show(values, retireCallbackSecrets)),
]

type Change = (db: Db, organisation_id: string) => Promise<unknown>

async function show(values: { organisation?: string; test?: boolean }, change?: Change): Promise<void> {
  const secrets = await withDatabase(readConfig(), async (db) => {
    const organisation_id = await whichAccount(db, values)
    await change?.(db, organisation_id)
    return readCallbackSecrets(db, organisation_id)
  })
  process.stdout.write(`${secrets.join('\n')}\n`)
}
