import type { Db } from '../db/connect.ts'
import { openBucket, takeWithDebt } from '../queue/rate-store.ts'
import { makeBoundedCache } from '../values/concurrency/bounded-cache.ts'
import { Refusal } from '../values/refusal.ts'
import type { Authenticate } from './authenticate.ts'
import type { Caller } from './store.ts'

/** The refusal if the limit is exceeded; a promise only if the shared bucket has to be asked. */
type Taken = Refusal | undefined | Promise<Refusal | undefined>

/** The limits of organisations, which all processes share. */
export type Limits = {
  takeRequest(caller: Pick<Caller, 'organisation_id' | 'requests_per_s'>): Taken
  /** Takes one token per recipient. A message larger than the limit is accepted, and later ones wait for it. */
  takeMessages(
    sender: { organisation_id: string; messages_per_s?: number | null | undefined },
    recipients: number,
  ): Taken
  takeUpload(caller: { organisation_id: string }, uploads_per_s: number): Taken
}

/** Tokens that this process has taken from the shared bucket in advance. */
type Lease = {
  rate_per_s: number
  tokens: number
  granted_at: number
  /** The shared bucket has no token before this moment. */
  empty_until: number
  /** Requests wait for each other, so that one statement serves many. */
  asking: Promise<unknown>
}

/** For how long a busy process takes tokens in advance. It returns those that it has not used by then. */
const LEASE_MS = 250
/** Then the shared bucket is asked again, also if its debt lasts longer. */
const LONGEST_EMPTY_MS = 1_000
const MAX_LEASES = 20_000

/**
 * Token buckets in the database, from which each process leases tokens for a quarter of a second while it is busy. So the
 * processes share a limit in the order in which their requests come, one of them may use all of it, and a busy organisation
 * costs each process about four statements per second. A bucket holds one second's worth of tokens.
 */
export function makeLimits({ db }: { db: Db }, now: () => number = () => performance.now()): Limits {
  const leases = makeBoundedCache<string, Lease>(MAX_LEASES)

  function take(bucket: string, what: string, rate_per_s: number | null | undefined, count: number): Taken {
    if (rate_per_s === null || rate_per_s === undefined) return undefined
    const lease = leaseOf(bucket, rate_per_s)
    const taken = takeHere(lease, what, count)
    if (taken !== 'ask') return taken
    const answer = lease.asking.then(() => takeShared(bucket, lease, what, count))
    lease.asking = answer.catch(() => {})
    return answer
  }

  function leaseOf(bucket: string, rate_per_s: number): Lease {
    const known = leases.get(bucket)
    if (known?.rate_per_s === rate_per_s) return known
    const lease = { rate_per_s, tokens: 0, granted_at: -Infinity, empty_until: -Infinity, asking: Promise.resolve() }
    leases.set(bucket, lease)
    return lease
  }

  function takeHere(lease: Lease, what: string, count: number): Refusal | undefined | 'ask' {
    const moment = now()
    if (moment < lease.empty_until) return exceeded(what, lease.rate_per_s, lease.empty_until - moment)
    if (moment - lease.granted_at > LEASE_MS || lease.tokens < count) return 'ask'
    lease.tokens -= count
    return undefined
  }

  async function takeShared(bucket: string, lease: Lease, what: string, count: number): Promise<Refusal | undefined> {
    const taken = takeHere(lease, what, count)
    if (taken !== 'ask') return taken
    const { rate_per_s } = lease
    const is_first = lease.granted_at === -Infinity
    if (is_first) await openBucket(db, bucket, Math.max(1, rate_per_s))
    const is_busy = now() - lease.granted_at <= 2 * LEASE_MS
    const most = count + (is_busy ? Math.floor((rate_per_s * LEASE_MS) / 1_000) : 0)
    const unused = lease.tokens
    lease.tokens = 0
    const { granted, left } = await takeWithDebt(db, bucket, rate_per_s, { unused, needed: count, most })
    const moment = now()
    lease.granted_at = moment
    lease.tokens = Math.max(0, granted - count)
    if (granted > 0) return undefined
    const wait_ms = ((1 - left) * 1_000) / rate_per_s
    lease.empty_until = moment + Math.min(wait_ms, LONGEST_EMPTY_MS)
    return exceeded(what, rate_per_s, wait_ms)
  }

  return {
    takeRequest: ({ organisation_id, requests_per_s }) =>
      take(`limit:requests:${organisation_id}`, 'requests', requests_per_s, 1),
    takeMessages: ({ organisation_id, messages_per_s }, recipients) =>
      take(`limit:messages:${organisation_id}`, 'messages', messages_per_s, recipients),
    takeUpload: ({ organisation_id }, uploads_per_s) =>
      take(`limit:uploads:${organisation_id}`, 'files', uploads_per_s, 1),
  }
}

function exceeded(what: string, rate_per_s: number, wait_ms: number): Refusal {
  const sentence = `Your organisation may send ${rate_per_s} ${what} per second. Retry later.`
  return new Refusal('too_many_requests', sentence, [], Math.max(1, Math.ceil(wait_ms / 1_000)))
}

/** Authenticates, and takes a token of the organisation's limit of requests. */
export function limitRequests(authenticate: Authenticate, limits: Pick<Limits, 'takeRequest'>): Authenticate {
  function admit(caller: Caller): Caller | Promise<Caller> {
    const taken = limits.takeRequest(caller)
    if (taken instanceof Promise) return taken.then((refusal) => orThrow(caller, refusal))
    return orThrow(caller, taken)
  }
  return (authorization) => {
    const found = authenticate(authorization)
    return found instanceof Promise ? found.then(admit) : admit(found)
  }
}

function orThrow(caller: Caller, refusal: Refusal | undefined): Caller {
  if (refusal) throw refusal
  return caller
}
