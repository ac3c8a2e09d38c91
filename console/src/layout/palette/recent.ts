import type { SessionState } from '../../session.ts'
import type { Entry } from './entry.ts'

/** Cleared with the drafts at logout, because entries may contain names. */
const BEFORE = 'gangan.draft.recent'
const AT_MOST = 5

type Recent = Pick<Entry, 'id' | 'title' | 'detail' | 'icon' | 'to'>
type Whose = Pick<SessionState, 'session' | 'organisation'>

/** What was last gone to from here, the latest first. */
export function readRecent(whose: Whose): Recent[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(whose)) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isRecent).slice(0, AT_MOST) : []
  } catch {
    return []
  }
}

/** Only what leads somewhere can be gone to again. */
export function noteRecent(whose: Whose, { id, title, detail, icon, to }: Entry): void {
  if (to === undefined || id.startsWith('action ')) return
  const others = readRecent(whose).filter((recent) => recent.id !== id)
  localStorage.setItem(keyOf(whose), JSON.stringify([{ id, title, detail, icon, to }, ...others].slice(0, AT_MOST)))
}

function keyOf({ session, organisation }: Whose): string {
  return `${BEFORE}.${session.user.id}.${organisation.id}`
}

function isRecent(kept: unknown): kept is Recent {
  return typeof kept === 'object' && kept !== null && 'id' in kept && 'title' in kept && 'icon' in kept && 'to' in kept
}
