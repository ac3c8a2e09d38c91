import { hkdfSync, randomBytes } from 'node:crypto'
import { link, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '../db/connect.ts'
import { syncToDisk } from '../db/embedded/folder.ts'
import { keepSecret } from './pepper-store.ts'
import { codeOf } from '../values/thrown.ts'

/** What is made of the pepper: a key for each use, so that nothing made with one says anything about the other. */
export type PepperKeys = {
  token_key: Buffer
  seal_key: Buffer
  secret_key: Buffer
  phone_key: Buffer
  auth_token_key: Buffer
  smpp_key: Buffer
  /** By which the pepper is known without being told: a backup names the one it belongs to. */
  pepper_mark: string
  person_key: Buffer
}

/**
 * The secret under which tokens are hashed, and texts and the secrets of callbacks are sealed. The environment's, if it gives one; else the one in
 * the data folder next to the embedded database; else, on a server that several processes share, the one in its table
 * `secrets`. It is made when it is first needed.
 */
export async function readPepper(
  deps: { db: Db },
  {
    pepper,
    database_url,
    data_dir,
  }: { pepper: string | undefined; database_url: string | undefined; data_dir: string },
): Promise<string> {
  if (pepper !== undefined) return pepper
  const fresh = randomBytes(32).toString('base64url')
  return database_url === undefined ? keepPepperFile(data_dir, fresh) : keepSecret(deps.db, 'pepper', fresh)
}

export function pepperFile(data_dir: string): string {
  return join(data_dir, 'pepper')
}

export function pepperKeys(pepper: string): PepperKeys {
  const derive = (use: string, bytes = 32): Buffer => Buffer.from(hkdfSync('sha256', pepper, '', use, bytes))
  return {
    token_key: derive('gangan otp token'),
    seal_key: derive('gangan sealed text'),
    secret_key: derive('gangan callback secret'),
    phone_key: derive('gangan phones'),
    auth_token_key: derive('gangan auth token'),
    smpp_key: derive('gangan smpp password'),
    pepper_mark: derive('gangan pepper mark', 8).toString('hex'),
    person_key: derive('gangan erased people'),
  }
}

/** The file appears whole or not at all, and the first to link it wins. */
export async function keepPepperFile(data_dir: string, fresh: string): Promise<string> {
  const path = pepperFile(data_dir)
  const known = await readIfThere(path)
  if (known !== undefined) return known
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(fresh)
    await file.sync()
    await file.close()
    await link(draft, path).catch((fault: unknown) => {
      if (codeOf(fault) !== 'EEXIST') throw fault
    })
    await syncToDisk(data_dir)
  } finally {
    await rm(draft, { force: true })
  }
  return (await readIfThere(path)) ?? fresh
}

export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (fault) {
    if (codeOf(fault) === 'ENOENT') return undefined
    throw fault
  }
}
