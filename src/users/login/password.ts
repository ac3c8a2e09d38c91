import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { Refusal, type Fault } from '../../values/refusal.ts'

export const SHORTEST_PASSWORD = 12
export const LONGEST_PASSWORD = 200

/** Who waits for a check: strangers stand behind people we know, however many they are. */
export const KNOWN = 0
export const STRANGER = 1
type Rank = typeof KNOWN | typeof STRANGER

export type Passwords = {
  /** With the salt of `like`, another hash: `find` compares a password with both in the time of one. */
  hash(password: string, like?: string | null): Promise<string>
  check(password: string, stored: string | null, rank: Rank): Promise<boolean>
  /**
   * Which of the stored hashes is of the password; -1: none. Without any it takes as long as with several of one salt, so
   * that the time does not reveal which accounts exist.
   */
  find(password: string, stored: readonly (string | null)[], rank: Rank): Promise<number>
}

type Cost = { N: number; r: number; p: number }

const COST: Cost = { N: 2 ** 15, r: 8, p: 3 }
const SALT = 16
const HASH = 32
/** The pool that hashes also compresses answers and resolves names: it must not be full of logins. */
const AT_ONCE = 2
const WAITING = 100

const derive = promisify<string, Buffer, number, Cost & { maxmem: number }, Buffer>(scrypt)

/** scrypt, its cost stored with each hash, a few at a time. */
export function makePasswords(cost: Cost = COST): Passwords {
  const turn = makeTurns()
  const nobody = format(cost, randomBytes(SALT), randomBytes(HASH))

  const find: Passwords['find'] = (password, stored, rank) =>
    turn(rank, async () => {
      const compared = stored.some((one) => one !== null) ? stored : [nobody]
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
        if (is_same && at < 0 && one !== nobody) at = n
      }
      return at
    })

  return {
    hash: (password, like) =>
      turn(KNOWN, async () => {
        const shared = like?.startsWith(format(cost)) ? like.split('$')[4] : undefined
        const salt = shared === undefined ? randomBytes(SALT) : Buffer.from(shared, 'base64url')
        return format(cost, salt, await run(password, salt, cost))
      }),
    check: async (password, stored, rank) => (await find(password, [stored], rank)) === 0,
    find,
  }
}

/** What is wrong with a new password. Length is what counts; rules about characters only make people write it down. */
export function passwordFaults(field: string, password: string, email: string | null): Fault[] {
  const letters = Array.from(password.normalize('NFKC')).length
  if (letters < SHORTEST_PASSWORD) {
    return [{ field, message: `At least ${SHORTEST_PASSWORD} characters.`, type: 'string_too_short' }]
  }
  if (letters > LONGEST_PASSWORD) {
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

function makeTurns() {
  const waiting: Record<Rank, (() => void)[]> = { [KNOWN]: [], [STRANGER]: [] }
  let running = 0
  return async <T>(rank: Rank, work: () => Promise<T>): Promise<T> => {
    if (running >= AT_ONCE) {
      if (waiting[rank].length >= WAITING) throw new Refusal('too_many_requests', 'Too many logins at once.', [], 5)
      await new Promise<void>((resolve) => waiting[rank].push(resolve))
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
