import { randomFillSync } from 'node:crypto'

/**
 * A UUIDv7 (RFC 9562) as PostgreSQL prints it, greater than every one this process made before: the 12 bits after the
 * milliseconds count within a millisecond, starting at a random place in their lower half.
 */
export function newId(): string {
  const now = Date.now()
  if (now > last_ms) startMillisecond(now)
  // Full, or a clock that went back: the ids run ahead of the clock rather than out of order.
  else if (++counter > 0xfff) startMillisecond(last_ms + 1)

  if (unused === POOL.length) refillPool()
  const at = unused
  unused += 8
  return (
    prefix +
    HEX[counter >> 4]! +
    HEX[counter & 0xf]![1]! +
    '-' +
    HEX[(POOL[at]! & 0x3f) | 0x80]! +
    HEX[POOL[at + 1]!]! +
    '-' +
    HEX[POOL[at + 2]!]! +
    HEX[POOL[at + 3]!]! +
    HEX[POOL[at + 4]!]! +
    HEX[POOL[at + 5]!]! +
    HEX[POOL[at + 6]!]! +
    HEX[POOL[at + 7]!]!
  )
}

/** When an id was made, in milliseconds since 1970. */
export function madeAt(id: string): number {
  return parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

/** The least id of a millisecond: the time is in its first 48 bits. */
export function firstIdAt(ms: number): string {
  const time = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0').slice(-12)
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
}

/** The next id there can be. */
export function justAfter(id: string): string {
  const next = (BigInt(`0x${id.replaceAll('-', '')}`) + 1n).toString(16).padStart(32, '0')
  return [next.slice(0, 8), next.slice(8, 12), next.slice(12, 16), next.slice(16, 20), next.slice(20)].join('-')
}

/** Any UUID in the form PostgreSQL prints, in either case. */
export function isId(text: unknown): text is string {
  return typeof text === 'string' && UUID.test(text)
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

// Random bytes for 512 ids at a time: the call into the system costs more than making the id.
const POOL = new Uint8Array(512 * 8)

// Module state, because the order of ids is a property of the process.
let unused = POOL.length
let last_ms = 0
let counter = 0
let prefix = ''

function startMillisecond(ms: number): void {
  const time = ms.toString(16).padStart(12, '0')
  if (unused === POOL.length) refillPool()
  last_ms = ms
  prefix = `${time.slice(0, 8)}-${time.slice(8)}-7`
  counter = ((POOL[unused]! << 8) | POOL[unused + 1]!) & 0x7ff
  unused += 8
}

function refillPool(): void {
  randomFillSync(POOL)
  unused = 0
}
