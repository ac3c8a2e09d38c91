const KEPT = 'gangan.unanswered'
/** For how long an identical request counts as the repetition of one whose answer did not arrive. */
const REPEATS_FOR_MS = 3_600_000
const MOST_KEPT = 20

type Unanswered = { key: string; print: string; at: number }

/** Over plain http, away from localhost, browsers have no `randomUUID`. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * The key with which a request is sent: of an identical one whose answer did not arrive, that one's, so that it is
 * carried out once, even if the page was loaded again in between; else the one given. Only a hash of the request is stored.
 */
export function keyFor(request: string, given: string): string {
  const print = fingerprint(request)
  const all = unanswered()
  const before = all.find((each) => each.print === print)
  if (before) return before.key
  store([...all, { key: given, print, at: Date.now() }].slice(-MOST_KEPT))
  return given
}

/** The service has answered: from now on, an identical request is another one. */
export function keyAnswered(key: string): void {
  store(unanswered().filter((each) => each.key !== key))
}

function unanswered(): Unanswered[] {
  try {
    const all: unknown = JSON.parse(localStorage.getItem(KEPT) ?? '[]')
    return Array.isArray(all) ? all.filter(isUnanswered).filter(({ at }) => Date.now() - at < REPEATS_FOR_MS) : []
  } catch {
    return []
  }
}

function store(all: readonly Unanswered[]): void {
  try {
    if (all.length === 0) localStorage.removeItem(KEPT)
    else localStorage.setItem(KEPT, JSON.stringify(all))
  } catch {
    // The browser's storage is full: repetitions by this page still carry the same key.
  }
}

function isUnanswered(each: unknown): each is Unanswered {
  if (typeof each !== 'object' || each === null) return false
  return (
    'key' in each &&
    typeof each.key === 'string' &&
    'print' in each &&
    typeof each.print === 'string' &&
    'at' in each &&
    typeof each.at === 'number'
  )
}

/** FNV-1a over two halves, with the length. The service refuses a key that comes with another request. */
function fingerprint(text: string): string {
  let low = 0x811c9dc5
  let high = 0x01000193
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    low = Math.imul(low ^ unit, 0x01000193)
    high = Math.imul(high ^ (unit + at), 0x85ebca6b)
  }
  return `${text.length}-${(low >>> 0).toString(36)}-${(high >>> 0).toString(36)}`
}
