import type { Db } from '../db/connect.ts'
import { readStored, UNREADABLE, type StoredEntry } from '../live-config/entries.ts'
import { listRows } from '../live-config/store.ts'
import { readKeys } from '../otp/pepper.ts'
import { ConfigFault, type Config } from './config.ts'
import { withOperatorEntries } from './entries.ts'

/** The configuration with the entries of operators in the database. Without any it is that of the file. */
export async function readEffective({ db }: { db: Db }, config: Config): Promise<Config> {
  if ((await listRows(db)).length === 0) return config
  const { secret_seal } = await readKeys({ db }, config)
  return withStoredEntries(config, await readStored(db, secret_seal))
}

/** Throws with all errors if the entries do not fit the configuration, or their secrets cannot be read. */
export function withStoredEntries(config: Config, stored: readonly StoredEntry[]): Config {
  const unreadable = stored.filter(({ is_readable }) => !is_readable)
  if (unreadable.length > 0) {
    throw new ConfigFault(unreadable.map(({ kind, name }) => `${kind}s.${name}: ${UNREADABLE}`))
  }
  return withOperatorEntries(config, stored)
}
