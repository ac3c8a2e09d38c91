import { isNamed, readAddress, readNetworks } from '../callbacks/post/networks.ts'
import type { Db } from '../db/connect.ts'
import { changeTopic } from '../organisations/changes.ts'
import { findCallerOf, type Caller } from '../organisations/store.ts'
import type { Wakeups } from '../queue/wakeups.ts'
import { findAccountById, type AccountRow } from '../smpp-accounts/store.ts'
import type { Organisation } from './organisations.ts'
import { makeReadBudget, type ReadBudget } from './read-throttle.ts'
import type { SmppServerSettings } from './settings.ts'
import { makeTokenBucket, type TokenBucket } from '../values/concurrency/token-bucket.ts'

/** The state shared by all binds of an account in this process. */
export type Account = {
  readonly row: AccountRow
  readonly organisation: Organisation
  readonly window_size: number
  readonly rate_per_s: number
  readonly bucket: TokenBucket
  /** Takes messages from the rates of account and organisation; false: a limit is reached. */
  mayTake(messages: number): boolean
  readonly pdus: ReadBudget
  /** The organisation it sends for, at most a second old; undefined once the account is deleted or suspended. */
  caller(): Caller | undefined | Promise<Caller | undefined>
  refresh(): Promise<void>
  close(): void
}

type Deps = { db: Db; wakeups: Pick<Wakeups, 'onWake'> }

/** As for API keys: a deleted account stops within a second, and a busy one never waits for the database. */
const MAX_AGE_MS = 900
const REFRESH_AFTER_MS = 400

/** Opens the account of a bind; undefined if it was deleted meanwhile. `onGone` is called when that happens later. */
export async function openAccount(
  deps: Deps,
  row: AccountRow,
  { limits }: SmppServerSettings,
  organisation: Organisation,
  onGone: () => void,
): Promise<Account | undefined> {
  const { id, organisation_id } = row
  let known = await load()
  let refreshing: Promise<void> | undefined
  if (!known.caller) return undefined
  const unsubscribe = deps.wakeups.onWake(changeTopic(organisation_id), () => {
    known = { ...known, loaded_at: -Infinity }
    refresh().catch(() => {}) // an unreachable database fails the next submit
  })

  async function load(): Promise<{ caller: Caller | undefined; loaded_at: number }> {
    const loaded_at = performance.now()
    const [still, caller] = await Promise.all([
      findAccountById(deps.db, organisation_id, id),
      findCallerOf(deps.db, organisation_id),
    ])
    return { caller: still && !caller?.suspended ? caller : undefined, loaded_at }
  }

  /** Concurrent callers share one load. */
  function refresh(): Promise<void> {
    refreshing ??= reload().finally(() => (refreshing = undefined))
    return refreshing
  }

  async function reload(): Promise<void> {
    known = await load()
    if (!known.caller) onGone()
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
    pdus: makeReadBudget(rate_per_s),
    caller() {
      const age_ms = performance.now() - known.loaded_at
      if (age_ms > MAX_AGE_MS) return refresh().then(() => known.caller)
      if (age_ms > REFRESH_AFTER_MS) refresh().catch(() => {})
      return known.caller
    },
    refresh,
    close: unsubscribe,
  }
}

/** Whether the account's allow list contains the address. */
export function mayBindFrom({ allow_networks }: AccountRow, ip: string): boolean {
  return allow_networks.length === 0 || isNamed(readAddress(ip), readNetworks(allow_networks))
}
