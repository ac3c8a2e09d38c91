import { openAccount } from '../src/billing/balance.ts'
import { newSecret } from '../src/callbacks/signing/signature.ts'
import { decideConfig } from '../src/config/config.ts'
import { connect, type DatabaseAddress } from '../src/db/connect.ts'
import { migrate } from '../src/db/migrate.ts'
import { buildServer } from '../src/http/server.ts'
import { createOrganisation } from '../src/organisations/create.ts'
import { createKey } from '../src/organisations/keys.ts'
import { registerFirstSender } from '../src/senders/decide.ts'
import { makeService } from '../src/service.ts'

/**
 * The gateway of the benches with a carrier, in a process of its own: `{ database, carrier }` on the
 * command line, `{ url, key }` on standard output. With `choose` there is a second carrier like the first. In sandbox mode, because the customer's endpoint is on this machine.
 */
const { database, carrier, choose } = JSON.parse(process.argv[2] ?? '') as {
  database: DatabaseAddress
  carrier: object
  choose?: object
}
const db = connect(database)
await migrate(db)
const carriers = choose ? [carrier, { ...carrier, name: 'second', system_id: 'second' }] : [carrier]
const routes = [
  choose
    ? { name: 'sms', channel: 'sms', carriers: ['line', 'second'], ...choose }
    : { name: 'sms', channel: 'sms', carrier: 'line' },
]
const decided = decideConfig({ GANGAN_PEPPER: 'the pepper of the bench' }, { carriers, routes })
const log = { info: () => {}, warn: console.error, error: console.error }
const service = await makeService({ config: { ...decided, sandbox: true }, db, log })
service.startWorkers()
const app = await buildServer(service.http)
const url = await app.listen({ host: '127.0.0.1', port: 0 })
const id = await createOrganisation(
  { ...service.http, openAccount, newCallbackSecret: newSecret, registerSender: registerFirstSender },
  { name: 'Bench', default_country: 'NG', default_sender_id: 'Bench', currency: 'NGN', credit: 10n ** 14n },
)
const { key } = await createKey({ db }, id, 'live', { name: null, scopes: null, expires_datetime: null })
process.stdout.write(`${JSON.stringify({ url, key })}\n`)

await new Promise((resolve) => process.once('SIGTERM', resolve))
await app.close()
await service.stop()
await db.end({ timeout: 1 })
process.exit(0)
