import { createReadStream, createWriteStream } from 'node:fs'
import { chown, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { Type, type Static } from '../../values/schema/type.ts'
import { fits } from '../../values/schema/check.ts'
import { syncToDisk } from '../../values/folder.ts'
import type { Db } from '../connect.ts'
import { transactionWithCopy } from '../copy.ts'
import { PLACE_FILE, stampOf } from './place.ts'
import { unlessGone } from './segments.ts'

const BASE = /^base-\d{8}T\d{6}Z$/
const UNFINISHED = /^base-\d{8}T\d{6}Z\.partial$/
/** Written last and removed first. */
export const MANIFEST = 'base.json'
const FILES = 'files'
const PACKED = '.gz'
const LEVEL = 1

/** Folders whose content PostgreSQL makes again; they have to exist. */
const EMPTIED = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
])
/** Belonging to the running server, or to this cluster alone. */
const LEFT_OUT = /^(?:postmaster\.(?:pid|opts)$|\.s\.PGSQL\.|backup_label|tablespace_map|pg_internal\.init|pgsql_tmp)/
/** Copied last, as PostgreSQL's own base backups do: it must not be older than what was copied before. */
const CONTROL = join('global', 'pg_control')

const Manifest = Type.Object({
  gangan_base: Type.Literal(1),
  postgres: Type.String({ pattern: '^\\d{1,3}$' }),
  /** The first segment that a recovery reads. */
  segment: Type.String({ pattern: '^[0-9A-F]{24}$' }),
  begun_datetime: Type.String({ maxLength: 40 }),
  /** The earliest moment to which it can be recovered. */
  ended_datetime: Type.String({ maxLength: 40 }),
  label: Type.String({ maxLength: 10_000 }),
  /** Identifies the pepper of its sealed secrets, without containing it. */
  pepper_mark: Type.String({ pattern: '^[0-9a-f]{16}$' }),
  files: Type.Integer({ minimum: 1 }),
  bytes: Type.Integer({ minimum: 1 }),
})
type Manifest = Static<typeof Manifest>

export type BaseBackup = Manifest & { name: string; folder: string }

type Source = { db: Db; cluster_dir: string; archive_dir: string; pepper_mark: string }

/**
 * Copies the files of the running cluster, each compressed, into a folder of the archive. The copies are of different
 * moments; the log since its begin makes them one. It is complete once all log until its end is archived.
 */
export async function writeBase(source: Source, signal: AbortSignal): Promise<BaseBackup> {
  const name = `base-${stampOf(new Date())}`
  const folder = join(source.archive_dir, name)
  const partial = `${folder}.partial`
  for (const left of (await readdir(source.archive_dir)).filter((one) => UNFINISHED.test(one))) {
    await rm(join(source.archive_dir, left), { recursive: true, force: true }) // of a killed process
  }
  try {
    await mkdir(join(partial, FILES), { recursive: true, mode: 0o700 })
    const manifest = await copyWhileMarked(source, join(partial, FILES), signal)
    await writeFile(join(partial, MANIFEST), `${JSON.stringify(manifest, undefined, 2)}\n`, { mode: 0o600 })
    await syncToDisk(join(partial, MANIFEST))
    await syncToDisk(partial)
    await rename(partial, folder)
    await syncToDisk(source.archive_dir)
    return { ...manifest, name, folder }
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
}

/** The connection that begins a backup has to end it; if it is lost, PostgreSQL ends the backup as failed. */
function copyWhileMarked({ db, cluster_dir, pepper_mark }: Source, to: string, signal: AbortSignal): Promise<Manifest> {
  return transactionWithCopy(
    db,
    async (sql) => {
      const [begin] = await sql<{ segment: string; begun_datetime: string; postgres: string }[]>`
        select pg_walfile_name(pg_backup_start('gangan', fast => true)) as segment, clock_timestamp() as begun_datetime,
          (current_setting('server_version_num')::integer / 10000)::text as postgres`
      const copied = await copyFiles(cluster_dir, to, signal)
      const [end] = await sql<{ label: string; ended_datetime: string }[]>`
        with ended as materialized (select labelfile from pg_backup_stop(wait_for_archive => true))
        select labelfile as label, clock_timestamp() as ended_datetime from ended`
      if (!begin || !end) throw new Error('PostgreSQL returned no label of the base backup')
      return { gangan_base: 1, ...begin, ...end, pepper_mark, ...copied }
    },
    // A checkpoint comes before it, and the archive after it.
    { begin: ['set statement_timeout = 0'], signal },
  )
}

async function copyFiles(from: string, to: string, signal: AbortSignal): Promise<{ files: number; bytes: number }> {
  const copied = { files: 0, bytes: 0 }

  async function copyOne(path: string): Promise<void> {
    const source = createReadStream(join(from, path))
    const target = join(to, path) + PACKED
    try {
      await pipeline(source, createGzip({ level: LEVEL }), createWriteStream(target, { mode: 0o600 }), { signal })
      await syncToDisk(target)
      copied.files += 1
      copied.bytes += source.bytesRead
    } catch (fault) {
      unlessGone(fault) // dropped meanwhile
      await rm(target, { force: true })
    }
  }

  async function copyFolder(path: string): Promise<void> {
    const entries = (await readdir(join(from, path), { withFileTypes: true }).catch(unlessGone)) ?? []
    for (const entry of entries) {
      const own = join(path, entry.name)
      if (LEFT_OUT.test(entry.name) || own === CONTROL || own.startsWith(PLACE_FILE)) continue
      if (entry.isFile()) await copyOne(own)
      if (!entry.isDirectory()) continue
      await mkdir(join(to, own), { mode: 0o700 })
      if (!EMPTIED.has(own)) await copyFolder(own)
    }
    await syncToDisk(join(to, path))
  }

  await copyFolder('')
  await copyOne(CONTROL)
  return copied
}

/** The complete base backups of an archive, the oldest first. */
export async function listBases(archive_dir: string): Promise<BaseBackup[]> {
  const names = ((await readdir(archive_dir).catch(unlessGone)) ?? []).filter((name) => BASE.test(name)).sort()
  const found = await Promise.all(names.map((name) => readBase(join(archive_dir, name), name)))
  return found.filter((base) => base !== undefined)
}

async function readBase(folder: string, name: string): Promise<BaseBackup | undefined> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(unlessGone)
  if (text === undefined) return undefined
  const manifest: unknown = JSON.parse(text)
  return fits(Manifest, manifest) ? { ...manifest, name, folder } : undefined
}

/** Unpacks a base backup into an empty folder, ready for a recovery. `owner` is the user PostgreSQL is to run as. */
export async function unpackBase(
  base: BaseBackup,
  cluster_dir: string,
  owner: { uid: number; gid: number } | undefined,
  onProgress: (files: number, of: number) => void,
): Promise<void> {
  let files = 0

  async function own(path: string): Promise<void> {
    if (owner !== undefined) await chown(path, owner.uid, owner.gid)
    await syncToDisk(path)
  }

  async function unpackFolder(from: string, to: string): Promise<void> {
    for (const entry of await readdir(from, { withFileTypes: true })) {
      const source = join(from, entry.name)
      if (entry.isDirectory()) {
        await mkdir(join(to, entry.name), { mode: 0o700 })
        await unpackFolder(source, join(to, entry.name))
      } else {
        const target = join(to, entry.name.slice(0, -PACKED.length))
        await pipeline(
          createReadStream(source),
          createGunzip(),
          createWriteStream(target, { flags: 'wx', mode: 0o600 }),
        )
        await own(target)
        onProgress((files += 1), base.files)
      }
    }
    await own(to)
  }

  await unpackFolder(join(base.folder, FILES), cluster_dir)
  if (files !== base.files) throw new Error(`${base.folder} has ${files} files and should have ${base.files}`)
  for (const [name, text] of [
    ['backup_label', base.label],
    ['recovery.signal', ''],
  ] as const) {
    const file = await open(join(cluster_dir, name), 'wx', 0o600)
    await file.writeFile(text)
    await file.close()
    await own(join(cluster_dir, name))
  }
  await own(cluster_dir)
}
