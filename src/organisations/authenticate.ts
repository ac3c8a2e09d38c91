import { areAllHere, isAway } from '../db/cluster/nodes.ts'
import type { Db } from '../db/connect.ts'
import type { Wakeups } from '../queue/wakeups.ts'
import { Refusal } from '../values/refusal.ts'
import { isSameSecret } from '../values/secrets/same-secret.ts'
import { hashApiKey, isMistyped } from './api-key.ts'
import { readLogin, type AuthTokenOf } from './auth-token.ts'
import { changeTopic } from './changes.ts'
import { findActiveKeys, findCaller, findCallerByKey, noteKeyUsed } from './key-store.ts'
import type { Caller } from './store.ts'

export type Authenticate = (authorization: string | undefined) => Caller | Promise<Caller>

/** A revoked key must stop within a second everywhere, so nobody is believed longer than this without asking again. */
const BELIEVED_MS = 900
/** From this age on the next request asks again in the background, so that a busy key never waits. */
const FRESH_MS = 400
/** Keys kept in memory, known and unknown ones; more than this and the oldest are forgotten. */
const REMEMBERED = 10_000
const LONGEST_KEY = 512
/** The use of a key is written down once in this long: a busy one costs a row version a minute. */
const NOTED_MS = 60_000
const COME_BACK_S = 2
/** Keys of an organisation among which an auth token is looked for. */
const MOST_KEYS = 1_000

type Memory = { caller: Caller | undefined; asked: number; noted: number }

/** Who calls? The header is the key alone; blanks around it and `Bearer` in front of it are forgiven. */
export function makeAuthenticate(
  deps: { db: Db; wakeups?: Pick<Wakeups, 'onWake'>; authTokenOf?: AuthTokenOf },
  now: () => number = Date.now,
): Authenticate {
  const memories = new Map<string, Memory>()
  /** When each organisation was last said to have changed: what was asked before that is not believed. */
  const changes = new Map<string, number>()

  const questions = new Map<string, Promise<Memory>>()

  /** One question per key at a time, however many requests wait for the answer. */
  function ask(key: string): Promise<Memory> {
    const open = questions.get(key)
    if (open) return open
    const question = findOut(key).finally(() => questions.delete(key))
    questions.set(key, question)
    return question
  }

  async function findOut(key: string): Promise<Memory> {
    const asked = now()
    const caller = await findOwner(deps, key)
    const memory = { caller, asked, noted: noteUse(caller, memories.get(key)?.noted) }
    if (memory.caller) watch(memory.caller.organisation_id)
    memories.delete(key)
    memories.set(key, memory)
    if (memories.size > REMEMBERED) memories.delete(memories.keys().next().value ?? '')
    return memory
  }

  /** Beside the request: nobody waits for it, and a note that is lost is made up for by the next. */
  function noteUse(caller: Caller | undefined, noted = -Infinity): number {
    if (!caller?.key_id || now() - noted < NOTED_MS) return noted
    noteKeyUsed(deps.db, caller.key_id, NOTED_MS / 1_000).catch(() => {})
    return now()
  }

  /** A question that was under way when the change came may have the old answer. */
  async function askAfterChange(key: string): Promise<Memory> {
    const memory = await ask(key)
    return ageOf(memory) === Infinity ? ask(key) : memory
  }

  function watch(organisation_id: string): void {
    if (changes.has(organisation_id)) return
    changes.set(organisation_id, -Infinity)
    deps.wakeups?.onWake(changeTopic(organisation_id), () => changes.set(organisation_id, now()))
  }

  function ageOf({ caller, asked }: Memory): number {
    const changed = (caller && changes.get(caller.organisation_id)) ?? -Infinity
    return asked <= changed ? Infinity : now() - asked
  }

  return (authorization) => {
    const key = keyOf(authorization)
    const memory = memories.get(key)
    if (!memory && isMistyped(key)) throw unknownKey()
    const age_ms = memory ? ageOf(memory) : Infinity
    if (!memory || age_ms > BELIEVED_MS) return askAfterChange(key).then(({ caller }) => admit(deps.db, caller))
    if (age_ms > FRESH_MS) ask(key).catch(() => {}) // a database that is away shows at the next request that must ask
    return admit(deps.db, memory.caller)
  }
}

/** Whose key it is; or whose account SID and auth token, with a colon between them. */
async function findOwner(
  { db, authTokenOf }: { db: Db; authTokenOf?: AuthTokenOf },
  key: string,
): Promise<Caller | undefined> {
  const login = authTokenOf && readLogin(key)
  if (!login) return findCaller(db, hashApiKey(key))
  const keys = await findActiveKeys(db, login.organisation_id, MOST_KEYS)
  const found = keys.find(({ id }) => isSameSecret(authTokenOf(id), login.auth_token))
  return found && findCallerByKey(db, found.id)
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
  return areAllHere(db) ? caller : admitIfThere(db, caller)
}

/** Who lies on a node of the cluster that does not answer takes no connection from the others by waiting for it. */
async function admitIfThere(db: Db, caller: Caller): Promise<Caller> {
  if (!(await isAway(db, caller.organisation_id))) return caller
  const sentence = 'The server that holds your account does not answer at the moment. Please try again.'
  throw new Refusal('unavailable', sentence, [], COME_BACK_S)
}

/** Said to who is let in no further, by whichever door. */
export function suspended(): Refusal {
  return new Refusal('forbidden', 'This organisation is suspended. Please ask the operator of the service.')
}

function unknownKey(): Refusal {
  return new Refusal('unauthenticated', 'The API key is unknown, revoked or expired.')
}
