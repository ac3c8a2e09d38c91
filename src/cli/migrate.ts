import { readConfig } from '../config/config.ts'
import type { Db } from '../db/connect.ts'
import { distribute } from '../db/cluster/distribute.ts'
import { UnfitCluster } from '../db/cluster/require-cluster.ts'
import { migrate } from '../db/migrate.ts'
import { withDatabase } from './database.ts'
import { flag, form, type Command } from './terminal/command.ts'
import { OperatorFault } from './terminal/operator-fault.ts'
import { progressBar } from './terminal/progress.ts'
import type { Result } from './terminal/result.ts'

/** Migrates the database; `--distributed` also distributes it over the nodes of a cluster. */
export const migrateCommand: Command = [
  form(
    '',
    'migrate the database to the newest schema and exit',
    { distributed: flag('and distribute it over the nodes of a cluster (Citus)') },
    run,
  ),
]

async function run({ distributed }: { distributed?: boolean }): Promise<Result> {
  const config = readConfig()
  if (distributed && config.database_url === undefined) {
    throw new OperatorFault(
      'The embedded database is a single server; --distributed needs the DATABASE_URL of a coordinator.',
    )
  }
  async function apply(db: Db): Promise<Result> {
    const applied = await migrate(db)
    const text = applied.length > 0 ? `Applied ${applied.join(', ')}.\n` : 'The schema is up to date.\n'
    if (!distributed) return { data: { applied }, text }
    const bar = progressBar(process.stderr)
    try {
      const tables = await distribute(db, (table, done, total) => bar.show(done, total, table))
      bar.end()
      const more = tables.length > 0 ? `Distributed ${tables.join(', ')}.\n` : 'All tables were distributed already.\n'
      return { data: { applied, distributed: tables }, text: text + more }
    } catch (fault) {
      if (fault instanceof UnfitCluster) throw new OperatorFault(fault.message)
      throw fault
    }
  }
  return withDatabase(config, apply, { creates: true })
}
