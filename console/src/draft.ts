import { useCallback, useEffect, useState } from 'react'
import { differing, readKept } from './draft-fields.ts'
import { useSession } from './session.ts'

const BEFORE = 'gangan.draft.'
/** The oldest are dropped first. */
const MOST_DRAFTS = 30
/** A longer one is not kept: browsers give a page about five million characters in all. */
const MOST_CHARACTERS = 300_000

/** `restored`: it was found in this browser and nothing of it is saved yet. `forget(value)`: what is now saved. */
export type Draft<T> = readonly [
  draft: T,
  change: (part: Partial<T>) => void,
  forget: (saved?: T) => void,
  restored: boolean,
]

/** What a form needs to say that a draft is restored, and to discard it. */
export type KeptDraft = readonly [draft: object, change: unknown, forget: () => void, restored: boolean]

/**
 * What is being written in a form, kept in this browser until it is saved or discarded: it survives leaving the page,
 * reloading it and the end of the session. Each user and organisation has their own. Only what differs from the initial
 * value is stored.
 */
export function useDraft<T extends object>(name: string, initial: T): Draft<T> {
  const { session, organisation } = useSession()
  const key = `${BEFORE}${name}.${session.user.id}.${organisation.id}`
  const [{ value, restored }, set] = useState(() => {
    const kept = readKept(localStorage.getItem(key), initial)
    return { value: { ...initial, ...kept }, restored: Object.keys(kept).length > 0 }
  })
  const fields = JSON.stringify(differing(initial, value))
  useEffect(() => keep(key, fields), [key, fields])
  const change = useCallback(
    (part: Partial<T>) => set((before) => ({ ...before, value: { ...before.value, ...part } })),
    [],
  )
  function forget(saved = initial) {
    // The form may be gone before it is rendered again.
    localStorage.removeItem(key)
    set({ value: saved, restored: false })
  }
  return [value, change, forget, restored]
}

/** Logging out deletes all drafts of this browser. */
export function forgetDrafts(): void {
  for (const key of draftKeys()) localStorage.removeItem(key)
}

function keep(key: string, fields: string): void {
  const text = `{"at":${Date.now()},"fields":${fields}}`
  if (fields === '{}' || text.length > MOST_CHARACTERS) return localStorage.removeItem(key)
  const others = draftKeys().filter((each) => each !== key)
  if (others.length >= MOST_DRAFTS) {
    const oldest = others.toSorted((one, other) => keptAt(one) - keptAt(other))
    for (const each of oldest.slice(0, others.length - MOST_DRAFTS + 1)) localStorage.removeItem(each)
  }
  try {
    localStorage.setItem(key, text)
  } catch {
    // The browser's storage is full: the form works without.
    localStorage.removeItem(key)
  }
}

function draftKeys(): string[] {
  return Object.keys(localStorage).filter((key) => key.startsWith(BEFORE))
}

function keptAt(key: string): number {
  return Number(/^\{"at":(\d+)/.exec(localStorage.getItem(key) ?? '')?.[1] ?? 0)
}
