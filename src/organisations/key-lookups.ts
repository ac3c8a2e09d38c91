import type { Db } from '../db/connect.ts'
import { isSameSecret } from '../values/secrets/same-secret.ts'
import { hashApiKey } from './api-key.ts'
import { readLogin, type AuthTokenOf } from './auth-token.ts'
import { findActiveKeys, findCallerByKey, findCallers } from './key-store.ts'
import { withTraits, type Caller } from './store.ts'

/** The caller of a key, if the key is valid, and when the database was asked. */
export type Found = { caller: Caller | undefined; asked: number }

/** Looks up a key; an urgent lookup, which a request waits for, immediately. */
export type LookUpKey = (key: string, is_urgent: boolean) => Promise<Found>

/** How long lookups that are not urgent are collected for one statement. */
const COLLECT_MS = 100
const MAX_KEYS_PER_STATEMENT = 500
/** Keys of an organisation that are compared with an auth token. */
const MAX_COMPARED_KEYS = 1_000

type Lookup = { key: string; resolve: (found: Found | Promise<Found>) => void; reject: (fault: unknown) => void }

/** One statement for all keys that are due; requests with the same key share its lookup. */
export function makeKeyLookups(
  { db, authTokenOf }: { db: Db; authTokenOf?: AuthTokenOf },
  now: () => number,
): LookUpKey {
  const open = new Map<string, Promise<Found>>()
  let collected: Lookup[] = []
  let timer: NodeJS.Timeout | undefined
  let is_sending = false

  async function send(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    is_sending = false
    const lookups = collected
    collected = []
    const asked = now()
    const hashes = lookups.map(({ key }) => hashApiKey(key).toString('hex'))
    try {
      const callers = await findCallers(db, hashes)
      // On a cluster the node of one organisation may be slow: the others do not wait for it.
      for (const [n, { resolve }] of lookups.entries()) {
        const row = callers.get(hashes[n] ?? '')
        resolve(row ? withTraits(db, row).then((caller) => ({ caller, asked })) : { caller: undefined, asked })
      }
    } catch (fault) {
      for (const { reject } of lookups) reject(fault)
    }
  }

  /** Urgent lookups of the same event loop iteration share a statement, with what is collected. */
  function schedule(is_urgent: boolean): void {
    if (is_sending || collected.length === 0) return
    if (is_urgent || collected.length >= MAX_KEYS_PER_STATEMENT) {
      is_sending = true
      setImmediate(() => void send())
    } else timer ??= setTimeout(() => void send(), COLLECT_MS).unref()
  }

  async function findByLogin(login: { organisation_id: string; auth_token: string }, tokenOf: AuthTokenOf) {
    const asked = now()
    const keys = await findActiveKeys(db, login.organisation_id, MAX_COMPARED_KEYS)
    const found = keys.find(({ id }) => isSameSecret(tokenOf(id), login.auth_token))
    return { caller: found && (await findCallerByKey(db, found.id)), asked }
  }

  function start(key: string): Promise<Found> {
    const login = authTokenOf && readLogin(key) // an account SID and auth token separated by a colon
    if (login) return findByLogin(login, authTokenOf)
    return new Promise((resolve, reject) => {
      collected.push({ key, resolve, reject })
    })
  }

  return (key, is_urgent) => {
    let lookup = open.get(key)
    if (!lookup) {
      lookup = start(key).finally(() => open.delete(key))
      open.set(key, lookup)
    }
    schedule(is_urgent)
    return lookup
  }
}
