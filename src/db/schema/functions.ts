import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { packageFile } from '../../values/package-files.ts'
import type { Db, Tx } from '../connect.ts'

const FOLDER = packageFile('functions/')

type FunctionFile = { name: string; sql: string; hash: string }

/**
 * Creates the functions of files that have changed since they were last applied, in the caller's transaction, and returns
 * the names of those files. Functions that a file created before are dropped first, so that a function may change its
 * parameters or be removed.
 */
export async function createFunctions(tx: Tx): Promise<string[]> {
  await tx`
    create table if not exists function_files (
      name text primary key, hash text not null, made text[] not null, made_datetime timestamptz not null default now()
    )`
  const files = await readFiles()
  const known = await tx<{ name: string; hash: string; made: string[] }[]>`
    select name, hash, made from function_files`
  const current = new Map(files.map(({ name, hash }) => [name, hash]))
  const outdated = known.filter(({ name, hash }) => current.get(name) !== hash)
  for (const { name, made } of outdated) {
    for (const signature of made) await tx.unsafe(`drop function if exists ${signature}`)
    await tx`delete from function_files where name = ${name}`
  }
  const kept = new Set(known.filter((file) => !outdated.includes(file)).map(({ name }) => name))
  const missing = files.filter(({ name }) => !kept.has(name))
  // They call each other, in any order.
  if (missing.length > 0) await tx`select set_config('check_function_bodies', 'off', true)`
  for (const file of missing) await makeFile(tx, file)
  return missing.map(({ name }) => name)
}

async function makeFile(tx: Tx, { name, sql, hash }: FunctionFile): Promise<void> {
  await tx.unsafe(sql)
  const names = [...sql.matchAll(/^create function (\w+)/gm)].map(([, made]) => made)
  await tx`
    insert into function_files (name, hash, made)
    select ${name}, ${hash}, coalesce(array_agg(oid::regprocedure::text), '{}')
    from pg_proc
    where proname = any (${names}::text[]) and pronamespace = current_schema()::regnamespace`
}

/** Whether the database has the functions of this build. */
export async function hasFunctions(db: Db): Promise<boolean> {
  const files = await readFiles()
  const known = await db<{ name: string; hash: string }[]>`select name, hash from function_files`
  const hashes = new Map(known.map(({ name, hash }) => [name, hash]))
  return files.length === known.length && files.every(({ name, hash }) => hashes.get(name) === hash)
}

async function readFiles(): Promise<FunctionFile[]> {
  const names = (await readdir(FOLDER)).filter((file) => file.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, FOLDER), 'utf8')
      return { name, sql, hash: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}
