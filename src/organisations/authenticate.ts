import { areAllReachable, isUnreachable } from '../db/layout.ts'
import type { Db } from '../db/connect.ts'
import type { Wakeups } from '../queue/wakeups.ts'
import { makeBoundedCache } from '../values/concurrency/bounded-cache.ts'
import { waitAtMost } from '../values/concurrency/wait-at-most.ts'
import { Refusal } from '../values/refusal.ts'
import { isMistyped } from './api-key.ts'
import type { AuthTokenOf } from './auth-token.ts'
import { changeTopic } from './changes.ts'
import { makeKeyLookups, type Found } from './key-lookups.ts'
import { noteKeyUsed } from './key-store.ts'
import type { Caller } from './store.ts'

export type Authenticate = (authorization: string | undefined) => Caller | Promise<Caller>

/** Maximum age of a cached result: a revoked key must stop working within a second on every process. */
const MAX_AGE_MS = 900
/** Age from which the next request refreshes the entry in the background, so that a busy key never waits. */
const REFRESH_AGE_MS = 400
/** How long a request waits for the lookup of its key. */
const LOOKUP_LIMIT_MS = 5_000
/** Cached keys, valid and invalid ones. */
const MAX_CACHED_KEYS = 10_000
const LONGEST_KEY = 512
/** Minimum interval between updates of a key's `last_used_datetime`. */
const USE_NOTED_MS = 60_000
const RETRY_AFTER_S = 2

type Entry = { found: Found; noted: number; is_refreshing: boolean }

/** Authenticates the `Authorization` header: the API key, optionally preceded by `Bearer`. */
export function makeAuthenticate(
  deps: { db: Db; wakeups?: Pick<Wakeups, 'onWake'>; authTokenOf?: AuthTokenOf },
  now: () => number = Date.now,
): Authenticate {
  const entries = makeBoundedCache<string, Entry>(MAX_CACHED_KEYS)
  /** When each organisation last changed: entries loaded before that are stale. */
  const changes = new Map<string, number>()
  const lookUpKey = makeKeyLookups(deps, now)

  async function lookUp(key: string, is_urgent: boolean): Promise<Entry> {
    const found = await lookUpKey(key, is_urgent)
    const known = entries.get(key)
    if (known?.found === found) return known
    const { caller } = found
    const entry = { found, noted: noteUse(caller, known?.noted), is_refreshing: false }
    if (caller) watch(caller.organisation_id)
    entries.set(key, entry)
    return entry
  }

  /** Not awaited by the request; the next update replaces one that fails. */
  function noteUse(caller: Caller | undefined, noted = -Infinity): number {
    if (!caller?.key_id || now() - noted < USE_NOTED_MS) return noted
    noteKeyUsed(deps.db, caller.key_id, USE_NOTED_MS / 1_000).catch(() => {})
    return now()
  }

  /** A lookup that was in progress when the organisation changed may have the old result. */
  async function lookUpAfterChange(key: string): Promise<Entry> {
    const entry = await inTime(lookUp(key, true))
    return ageOf(entry) === Infinity ? inTime(lookUp(key, true)) : entry
  }

  function watch(organisation_id: string): void {
    if (changes.has(organisation_id)) return
    changes.set(organisation_id, -Infinity)
    deps.wakeups?.onWake(changeTopic(organisation_id), () => changes.set(organisation_id, now()))
  }

  function ageOf({ found: { caller, asked } }: Entry): number {
    const changed = (caller && changes.get(caller.organisation_id)) ?? -Infinity
    return asked <= changed ? Infinity : now() - asked
  }

  return (authorization) => {
    const key = keyOf(authorization)
    const entry = entries.get(key)
    if (!entry && isMistyped(key)) throw unknownKey()
    const age_ms = entry ? ageOf(entry) : Infinity
    if (!entry || age_ms > MAX_AGE_MS) return lookUpAfterChange(key).then(({ found }) => admit(deps.db, found.caller))
    if (age_ms > REFRESH_AGE_MS && !entry.is_refreshing) {
      entry.is_refreshing = true
      lookUp(key, false).catch(() => {}) // a later request that must wait reports the error
    }
    return admit(deps.db, entry.found.caller)
  }
}

async function inTime(lookup: Promise<Entry>): Promise<Entry> {
  let entry: Entry | undefined
  await waitAtMost(
    LOOKUP_LIMIT_MS,
    lookup.then((found) => (entry = found)),
  )
  if (entry) return entry
  throw new Refusal('unavailable', 'The database does not answer at the moment. Retry later.', [], RETRY_AFTER_S)
}

function keyOf(authorization: string | undefined): string {
  const key = (authorization ?? '').trim().replace(/^bearer\s+/i, '')
  if (key === '') throw new Refusal('unauthenticated', 'An API key is required in the Authorization header.')
  if (key.length > LONGEST_KEY) throw unknownKey()
  return key
}

function admit(db: Db, caller: Caller | undefined): Caller | Promise<Caller> {
  if (!caller) throw unknownKey()
  if (caller.suspended) throw suspended()
  return areAllReachable(db) ? caller : admitIfThere(db, caller)
}

/** Refuses callers whose cluster node is down, so that they do not occupy connections. */
async function admitIfThere(db: Db, caller: Caller): Promise<Caller> {
  if (!(await isUnreachable(db, caller.organisation_id))) return caller
  const sentence = 'The server that holds your account does not answer at the moment. Please try again.'
  throw new Refusal('unavailable', sentence, [], RETRY_AFTER_S)
}

/** The refusal for callers of a suspended organisation, in every API. */
export function suspended(): Refusal {
  return new Refusal('forbidden', 'This organisation is suspended. Please ask the operator of the service.')
}

function unknownKey(): Refusal {
  return new Refusal('unauthenticated', 'The API key is unknown, revoked or expired.')
}
