import { readVersion } from '../../values/version.ts'
import type { Db, Tx } from '../connect.ts'

/**
 * The releases that have migrated the database. Within a minor series, migrations only add and functions can be called as
 * before; so a process of an older patch release works with the schema and the functions of a newer one, and leaves them as
 * they are. That makes rolling upgrades possible.
 */
export async function recordBuild(tx: Tx, version: string): Promise<void> {
  await tx`create table if not exists builds (version text primary key, first_datetime timestamptz not null default now())`
  await tx`insert into builds (version) values (${version}) on conflict do nothing`
}

/** The newest patch release of this build's minor series that has migrated the database, if it is newer than this build. */
export async function findNewerPatch(sql: Db | Tx, own = readVersion()): Promise<string | undefined> {
  const [table] = await sql<{ exists: boolean }[]>`select to_regclass('builds') is not null as exists`
  if (!table?.exists) return undefined
  const rows = await sql<{ version: string }[]>`select version from builds`
  const newer = rows.map(({ version }) => version).filter((version) => isNewerPatch(version, own))
  return newer.toSorted((a, b) => patchOf(a) - patchOf(b)).at(-1)
}

const RELEASE = /^(\d+\.\d+)\.(\d+)$/

function isNewerPatch(version: string, own: string): boolean {
  return seriesOf(version) !== undefined && seriesOf(version) === seriesOf(own) && patchOf(version) > patchOf(own)
}

const seriesOf = (version: string): string | undefined => RELEASE.exec(version)?.[1]
const patchOf = (version: string): number => Number(RELEASE.exec(version)?.[2])
