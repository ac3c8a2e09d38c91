import { ConfigFault, readConfig, type Config } from '../config/config.ts'
import { readEffective } from '../config/effective.ts'
import type { Db } from '../db/connect.ts'
import { withDatabase } from './database.ts'

/** Opens the database for a command about carriers or routes. The configuration includes those of operators. */
export async function withConfigured<T>(work: (db: Db, config: Config) => Promise<T>): Promise<T> {
  const config = readConfig()
  return withDatabase(config, async (db) => work(db, await readEffective({ db }, config)))
}

/** The same for a command that reports on a database in any state; without readable entries it is that of the file. */
export async function effectiveIfReadable(db: Db, config: Config): Promise<Config> {
  try {
    return await readEffective({ db }, config)
  } catch (fault) {
    if (fault instanceof ConfigFault) throw fault
    return config
  }
}
