import { isNamed, readAddress, readNetworks } from '../callbacks/post/networks.ts'
import type { Db } from '../db/connect.ts'
import { changeTopic } from '../organisations/changes.ts'
import { findCallerOf, type Caller } from '../organisations/store.ts'
import type { Wakeups } from '../queue/wakeups.ts'
import { findAccountById, type AccountRow } from '../smpp-accounts/store.ts'
import { makeAllowance, type Allowance } from './brake.ts'
import type { Organisation } from './organisation.ts'
import type { SmppServerSettings } from './settings.ts'
import { makeTokenBucket, type TokenBucket } from '../values/concurrency/token-bucket.ts'

/** An account with binds in this process: what they share. */
export type Account = {
  readonly row: AccountRow
  readonly organisation: Organisation
  readonly window_size: number
  readonly rate_per_s: number
  readonly bucket: TokenBucket
  /** Whether so many messages may be submitted now, by its own limits and by the organisation's: then they count. */
  mayTake(messages: number): boolean
  /** PDUs that may be read from all of its binds. */
  readonly pdus: Allowance
  /** The organisation it sends for, as believed for less than a second; undefined once the account is gone or suspended. */
  caller(): Caller | undefined | Promise<Caller | undefined>
  /** Asks anew. */
  refresh(): Promise<void>
  close(): void
}

type Deps = { db: Db; wakeups: Pick<Wakeups, 'onWake'> }

/** As for keys: a revoked one must stop within a second everywhere, and a busy one never waits. */
const BELIEVED_MS = 900
const FRESH_MS = 400

/** Opens the account of a bind; undefined where it has just been removed. `onGone` is called once it is. */
export async function openAccount(
  deps: Deps,
  row: AccountRow,
  { limits }: SmppServerSettings,
  organisation: Organisation,
  onGone: () => void,
): Promise<Account | undefined> {
  const { id, organisation_id } = row
  let known = await findOut()
  let question: Promise<void> | undefined
  if (!known.caller) return undefined
  const unsubscribe = deps.wakeups.onWake(changeTopic(organisation_id), () => {
    known = { ...known, asked: -Infinity }
    ask().catch(() => {}) // a database that is away shows at the next submit
  })

  async function findOut(): Promise<{ caller: Caller | undefined; asked: number }> {
    const asked = performance.now()
    const [still, caller] = await Promise.all([
      findAccountById(deps.db, organisation_id, id),
      findCallerOf(deps.db, organisation_id),
    ])
    return { caller: still && !caller?.suspended ? caller : undefined, asked }
  }

  /** One question at a time, however many submits wait for the answer. */
  function ask(): Promise<void> {
    question ??= learn().finally(() => (question = undefined))
    return question
  }

  async function learn(): Promise<void> {
    known = await findOut()
    if (!known.caller) onGone()
  }

  async function askAndTell(): Promise<Caller | undefined> {
    await ask()
    return known.caller
  }

  const rate_per_s = Math.min(row.rate_per_s, limits.rate_per_s)
  const bucket = makeTokenBucket({ rate_per_s })
  return {
    row,
    organisation,
    window_size: Math.min(row.window_size, limits.window_size),
    rate_per_s,
    bucket,
    mayTake(messages) {
      if (organisation.unanswered >= organisation.window_size || !organisation.bucket.has()) return false
      return bucket.take(messages) && organisation.bucket.take(messages)
    },
    pdus: makeAllowance(rate_per_s),
    caller() {
      const age_ms = performance.now() - known.asked
      if (age_ms > BELIEVED_MS) return askAndTell()
      if (age_ms > FRESH_MS) ask().catch(() => {})
      return known.caller
    },
    refresh: ask,
    close: unsubscribe,
  }
}

/** Whether the account may bind from there. */
export function mayBindFrom({ allow_networks }: AccountRow, ip: string): boolean {
  return allow_networks.length === 0 || isNamed(readAddress(ip), readNetworks(allow_networks))
}
