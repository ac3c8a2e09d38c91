import { parseArgs } from 'node:util'
import { newSecret } from '../callbacks/signature.ts'
import { readConfig } from '../config/config.ts'
import { addCallbackSecret, readCallbackSecrets, retireCallbackSecrets } from '../organisations/store.ts'
import { withDatabase } from './database.ts'
import { OperatorFault } from './operator-fault.ts'
import { whichAccount } from './which-organisation.ts'

/** Shows and rotates the secret callbacks are signed with. Each action ends by showing what signs now. */
export async function callbacks(args: string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { organisation: { type: 'string' }, test: { type: 'boolean' } },
  })
  const [action] = positionals
  if (action !== 'secret' && action !== 'rotate' && action !== 'retire') {
    throw new OperatorFault('Say gangan callbacks secret, callbacks rotate, or callbacks retire.')
  }
  const secrets = await withDatabase(readConfig(), async (db) => {
    const organisation_id = await whichAccount(db, values)
    if (action === 'rotate') await addCallbackSecret(db, organisation_id, newSecret())
    if (action === 'retire') await retireCallbackSecrets(db, organisation_id)
    return readCallbackSecrets(db, organisation_id)
  })
  process.stdout.write(`${secrets.join('\n')}\n`)
}
