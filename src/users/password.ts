import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { Refusal, type Fault } from '../values/refusal.ts'

export const SHORTEST_PASSWORD = 12
export const LONGEST_PASSWORD = 200

/** Who waits for a check: strangers stand behind people we know, however many they are. */
export const KNOWN = 0
export const STRANGER = 1
type Rank = typeof KNOWN | typeof STRANGER

export type Passwords = {
  hash(password: string): Promise<string>
  /** Without a hash to compare with it takes as long and is false, so that time tells nobody which accounts exist. */
  check(password: string, stored: string | null, rank: Rank): Promise<boolean>
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

  return {
    hash: (password) =>
      turn(KNOWN, async () => {
        const salt = randomBytes(SALT)
        return format(cost, salt, await run(password, salt, cost))
      }),
    check: (password, stored, rank) =>
      turn(rank, async () => {
        const [, N, r, p, salt = '', hash = ''] = (stored ?? nobody).split('$')
        const found = await run(password, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) })
        return timingSafeEqual(found, Buffer.from(hash, 'base64url')) && stored !== null
      }),
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

function format({ N, r, p }: Cost, salt: Buffer, hash: Buffer): string {
  return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$')
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
