import { hkdfSync, randomBytes } from 'node:crypto'
import { link, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '../db/connect.ts'
import { syncToDisk } from '../values/folder.ts'
import { findSecret, keepSecret, KEPT_KEYS, readMark } from './pepper-store.ts'
import { makeSeal, type Seal } from '../values/secrets/seal.ts'
import { makeSecretSeal, type SecretSeal } from '../values/secrets/secret-seal.ts'
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

/** Keys that do not change with the pepper: clients hold what is derived from them, or the plain text is gone. */
const KEPT = ['request_key', 'phone_key', 'auth_token_key', 'smpp_key', 'person_key'] as const
export type KeptKeys = Record<(typeof KEPT)[number], Buffer>

/** All keys of the installation. During a rotation of the pepper, what was made under the former one is valid as well. */
export type InstallationKeys = Omit<PepperKeys, keyof KeptKeys> &
  KeptKeys & { former: PepperKeys | undefined; seal: Seal; secret_seal: SecretSeal }

export type PepperSource = {
  pepper: string | undefined
  previous_pepper: string | undefined
  database_url: string | undefined
  data_dir: string
}

export async function readKeys(deps: { db: Db }, source: PepperSource): Promise<InstallationKeys> {
  const own = pepperKeys(await readPepper(deps, source))
  const previous = await readPreviousPepper(source)
  const former = previous === undefined ? undefined : pepperKeys(previous)
  return {
    ...own,
    ...((await readKept(deps.db, own, former)) ?? keptOf(former && (await isMarked(deps.db, former)) ? former : own)),
    former,
    seal: makeSeal(own.seal_key, former?.seal_key),
    secret_seal: makeSecretSeal(own.secret_key, former?.secret_key),
  }
}

/** The keys that a first rotation keeps, as they are without one. */
export function keptOf({ token_key, phone_key, auth_token_key, smpp_key, person_key }: PepperKeys): KeptKeys {
  return { request_key: token_key, phone_key, auth_token_key, smpp_key, person_key }
}

async function readKept(db: Db, own: PepperKeys, former: PepperKeys | undefined): Promise<KeptKeys | undefined> {
  const sealed = await findSecret(db, KEPT_KEYS)
  return sealed === undefined ? undefined : openKept(makeSecretSeal(own.secret_key, former?.secret_key), sealed)
}

export function sealKept(keys: Pick<PepperKeys, 'secret_key'>, kept: KeptKeys): string {
  const texts = KEPT.map((name) => [name, kept[name].toString('hex')])
  return makeSecretSeal(keys.secret_key).close(JSON.stringify(Object.fromEntries(texts)), KEPT_KEYS)
}

/** Undefined if they were sealed under another pepper. */
export function openKept(seal: SecretSeal, sealed: string): KeptKeys | undefined {
  const text = seal.open(sealed, KEPT_KEYS)
  if (text === undefined) return undefined
  const stored: Record<string, string> = JSON.parse(text)
  const key = (name: string): Buffer => Buffer.from(stored[name] ?? '', 'hex')
  return {
    request_key: key('request_key'),
    phone_key: key('phone_key'),
    auth_token_key: key('auth_token_key'),
    smpp_key: key('smpp_key'),
    person_key: key('person_key'),
  }
}

/** Whether it sealed the database, as far as that is known: before the first rotation. */
async function isMarked(db: Db, keys: PepperKeys): Promise<boolean> {
  const mark = (await readMark(db))?.mark ?? keys.pepper_mark
  return mark === keys.pepper_mark
}

/** The pepper before the present one, while a rotation runs. */
async function readPreviousPepper({ previous_pepper, data_dir }: PepperSource): Promise<string | undefined> {
  return previous_pepper ?? readIfThere(`${pepperFile(data_dir)}.previous`)
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
    if (codeOf(fault) === 'ENOENT' || codeOf(fault) === 'ENOTDIR') return undefined
    throw fault
  }
}
