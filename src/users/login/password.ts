import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { Refusal, type Fault } from '../../values/refusal.ts'

export const SHORTEST_PASSWORD = 12
export const LONGEST_PASSWORD = 200

/** Priorities of the hashing queue: logins on known devices precede all others. */
export const KNOWN = 0
export const STRANGER = 1
type Priority = typeof KNOWN | typeof STRANGER

export type Passwords = {
  /** Hashes with the salt of `like`, so that `find` compares a password with both hashes in the time of one. */
  hash(password: string, like?: string | null): Promise<string>
  check(password: string, stored: string | null, priority: Priority): Promise<boolean>
  /**
   * The index of the stored hash that matches; -1 if none does. Without any hash it takes as long as with several of one
   * salt, so that the time does not reveal which accounts exist.
   */
  find(password: string, stored: readonly (string | null)[], priority: Priority): Promise<number>
}

type Cost = { N: number; r: number; p: number }

const COST: Cost = { N: 2 ** 15, r: 8, p: 3 }
const SALT = 16
const HASH = 32
/** Concurrent hashes: Node's thread pool also compresses responses and resolves host names. */
const MAX_CONCURRENT = 2
/** Queued hashes per priority; more are refused. */
const MAX_QUEUED = 100

const derive = promisify<string, Buffer, number, Cost & { maxmem: number }, Buffer>(scrypt)

/** scrypt with its cost stored in each hash and bounded concurrency. */
export function makePasswords(cost: Cost = COST): Passwords {
  const queue = makePriorityQueue()
  const dummy = format(cost, randomBytes(SALT), randomBytes(HASH))

  const find: Passwords['find'] = (password, stored, priority) =>
    queue(priority, async () => {
      const compared = stored.some((one) => one !== null) ? stored : [dummy]
      const found = new Map<string, Buffer>()
      let at = -1
      for (const [n, one] of compared.entries()) {
        if (one === null) continue
        const salted = one.slice(0, one.lastIndexOf('$'))
        const [, N, r, p, salt = ''] = salted.split('$')
        const derived =
          found.get(salted) ??
          (await run(password, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) }))
        found.set(salted, derived)
        const is_same = timingSafeEqual(derived, Buffer.from(one.slice(salted.length + 1), 'base64url'))
        if (is_same && at < 0 && one !== dummy) at = n
      }
      return at
    })

  return {
    hash: (password, like) =>
      queue(KNOWN, async () => {
        const shared = like?.startsWith(format(cost)) ? like.split('$')[4] : undefined
        const salt = shared === undefined ? randomBytes(SALT) : Buffer.from(shared, 'base64url')
        return format(cost, salt, await run(password, salt, cost))
      }),
    check: async (password, stored, priority) => (await find(password, [stored], priority)) === 0,
    find,
  }
}

/** Faults of a new password. Only length and obvious guesses are checked, as NIST SP 800-63B recommends. */
export function passwordFaults(field: string, password: string, email: string | null): Fault[] {
  const length = Array.from(password.normalize('NFKC')).length
  if (length < SHORTEST_PASSWORD) {
    return [{ field, message: `At least ${SHORTEST_PASSWORD} characters.`, type: 'string_too_short' }]
  }
  if (length > LONGEST_PASSWORD) {
    return [{ field, message: `At most ${LONGEST_PASSWORD} characters.`, type: 'string_too_long' }]
  }
  const plain = password.toLowerCase()
  if (new Set(plain).size < 5 || plain === email?.toLowerCase()) {
    return [{ field, message: 'This password is too easy to guess.', type: 'invalid' }]
  }
  return []
}

function format({ N, r, p }: Cost, ...parts: Buffer[]): string {
  return ['scrypt', N, r, p, ...parts.map((part) => part.toString('base64url'))].join('$')
}

async function run(password: string, salt: Buffer, cost: Cost): Promise<Buffer> {
  const maxmem = 256 * cost.N * cost.r
  return derive(password.normalize('NFKC'), salt, HASH, { ...cost, maxmem })
}

/** A semaphore whose waiting tasks run by priority, first in, first out. */
function makePriorityQueue() {
  const waiting: Record<Priority, (() => void)[]> = { [KNOWN]: [], [STRANGER]: [] }
  let running = 0
  return async <T>(priority: Priority, work: () => Promise<T>): Promise<T> => {
    if (running >= MAX_CONCURRENT) {
      if (waiting[priority].length >= MAX_QUEUED)
        throw new Refusal('too_many_requests', 'Too many concurrent logins.', [], 5)
      await new Promise<void>((resolve) => waiting[priority].push(resolve))
    } else running += 1
    try {
      return await work()
    } finally {
      const next = waiting[KNOWN].shift() ?? waiting[STRANGER].shift()
      if (next) next()
      else running -= 1
    }
  }
}
