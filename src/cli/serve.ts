import type { FastifyInstance } from 'fastify'
import { parseArgs } from 'node:util'
import { openAccount } from '../billing/balance.ts'
import { newSecret } from '../callbacks/signature.ts'
import { readConfig, type Config } from '../config/config.ts'
import type { Db } from '../db/connect.ts'
import { migrate } from '../db/migrate.ts'
import { buildServer } from '../http/server.ts'
import { ensureFirstOrganisation } from '../organisations/first.ts'
import { makeLog } from '../observe/log.ts'
import { makeService, type Service } from '../service.ts'
import { ensureFirstOperator } from '../users/first.ts'
import { banner } from './banner.ts'
import { openDatabase } from './database.ts'
import { OperatorFault } from './operator-fault.ts'

/** A stop takes no longer than this, whatever hangs. */
const STOP_MS = 9_000

/** Starts everything, prints where it is, and stops in order on SIGTERM or SIGINT. */
export async function serve(args: string[]): Promise<void> {
  const { values: roles } = parseArgs({ args, options: { http: { type: 'boolean' }, worker: { type: 'boolean' } } })
  const both = roles.http === roles.worker
  const config = readConfig()
  const stopping = stopSignal()
  const database = await openDatabase(config)
  const log = makeLog(config.log_level)
  let service: Service | undefined
  let app: FastifyInstance | undefined
  try {
    await migrate(database.db)
    const { new_api_key } = await found(config, database.db)
    service = await makeService({ config, db: database.db, log })
    if (both || roles.worker) service.startWorkers()
    if (both || roles.http) app = await listen(config, service)
    const link_token = app ? await ensureFirstOperator(database) : undefined
    process.stdout.write(banner(config, app, { new_api_key, link_token }))
    await stopping
  } finally {
    setTimeout(() => process.exit(1), STOP_MS).unref()
    await app?.close()
    await service?.stop()
    await database.close()
    log.flush()
  }
}

/** Ctrl-C under npm arrives twice, from the terminal and from npm: only the first counts, a stop ends by itself. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => resolve())
  })
}

async function found(config: Config, db: Db): Promise<{ new_api_key?: string }> {
  const { organisation, currency } = config.settings
  const founding = { db, openAccount, newCallbackSecret: newSecret }
  return ensureFirstOrganisation(founding, { ...organisation, currency, credit: config.credit }, config.api_key)
}

async function listen({ host, port }: Config, service: Service): Promise<FastifyInstance> {
  const app = await buildServer(service.http)
  try {
    await app.listen({ host, port })
    return app
  } catch (fault) {
    const { code } = fault as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') throw new OperatorFault(`Port ${port} on ${host} is taken; set PORT to another one.`)
    if (code === 'EACCES')
      throw new OperatorFault(`Port ${port} on ${host} needs more rights; set PORT to another one.`)
    if (code === 'EADDRNOTAVAIL')
      throw new OperatorFault(`This machine has no address ${host}; set HOST to another one.`)
    throw fault
  }
}
