import { hkdfSync, randomBytes } from 'node:crypto'
import { link, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '../db/connect.ts'
import { syncToDisk } from '../values/folder.ts'
import { keepSecret } from './pepper-store.ts'
import { codeOf } from '../values/thrown.ts'

/** Keys derived from the pepper, one for each purpose. */
export type PepperKeys = {
  token_key: Buffer
  seal_key: Buffer
  secret_key: Buffer
  phone_key: Buffer
  auth_token_key: Buffer
  smpp_key: Buffer
  /** Fingerprint of the pepper, stored in backups to identify the one they need. */
  pepper_mark: string
  person_key: Buffer
}

/**
 * The master secret from which the keys for token hashes and sealed texts are derived. Read from the environment if set;
 * else from the data folder beside the embedded database, or from the table `secrets` of a database server. Generated
 * when it is first needed.
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

/** Creates the file atomically; of several processes the first to link it wins. */
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
