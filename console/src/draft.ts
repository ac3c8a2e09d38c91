import { useCallback, useEffect, useState } from 'react'
import { useSession } from './session.ts'

const BEFORE = 'gangan.draft.'

/**
 * What is being written, kept in this browser until it is sent or cleared: a page left by mistake takes nothing with it.
 * Each person and organisation has their own. `forget` when it has served its purpose.
 */
export function useDraft<T extends object>(
  name: string,
  empty: T,
): readonly [draft: T, change: (part: Partial<T>) => void, forget: () => void] {
  const { session, organisation } = useSession()
  const key = `${BEFORE}${name}.${session.user.id}.${organisation.id}`
  const [draft, setDraft] = useState<T>(() => ({ ...empty, ...readKept(key) }))
  useEffect(() => {
    if (JSON.stringify(draft) === JSON.stringify(empty)) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify(draft))
  }, [key, draft, empty])
  function forget() {
    localStorage.removeItem(key)
    setDraft(empty)
  }
  const change = useCallback((part: Partial<T>) => setDraft((before) => ({ ...before, ...part })), [])
  return [draft, change, forget]
}

/** Logging out deletes all drafts of this browser. */
export function forgetDrafts(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(BEFORE)) localStorage.removeItem(key)
}

function readKept(key: string): object {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '{}')
    return typeof kept === 'object' && kept !== null ? kept : {}
  } catch {
    return {}
  }
}
