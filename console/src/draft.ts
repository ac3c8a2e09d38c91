import { useCallback, useEffect, useRef, useState } from 'react'
import { differing, pick, readKept } from './draft-fields.ts'
import { useSession } from './session.ts'

const BEFORE = 'gangan.draft.'
/** The oldest are dropped first. */
const MOST_DRAFTS = 30
/** A longer one is not kept: browsers give a page about five million characters in all. */
const MOST_CHARACTERS = 300_000

/**
 * `forget()`: what the form holds is discarded or sent, and it begins anew. `forget(saved)`: this is saved now. Both
 * leave alone what was changed since, and work after the form is gone. `restored`: it was found in this browser and
 * nothing of it is saved yet. `is_outdated`: what is saved was changed elsewhere since it was written.
 */
export type Draft<T> = readonly [
  draft: T,
  change: (part: Partial<T>) => void,
  forget: (saved?: T) => void,
  restored: boolean,
  is_outdated: boolean,
]

/** What a form needs to say that a draft is restored, and to discard it. */
export type KeptDraft = readonly [
  draft: object,
  change: unknown,
  forget: () => void,
  restored: boolean,
  is_outdated: boolean,
]

type State<T> = { value: T; saved?: T; restored: boolean; is_outdated: boolean }

/** The forms on the page by the key of their draft: the page may show one again while what it held is being sent. */
const forms = new Map<string, Set<(sent: string) => void>>()

/**
 * What is being written in a form, kept in this browser until it is saved or discarded: it survives leaving the page,
 * reloading it and the end of the session. Each user and organisation has their own. Only what differs from the initial
 * value is stored, with that value.
 */
export function useDraft<T extends object>(name: string, initial: T): Draft<T> {
  const { session, organisation } = useSession()
  const key = `${BEFORE}${name}.${session.user.id}.${organisation.id}`
  const [{ value, saved, restored, is_outdated }, set] = useState((): State<T> => {
    const kept = readKept(localStorage.getItem(key), initial)
    const is_restored = Object.keys(kept.fields).length > 0
    return { value: { ...initial, ...kept.fields }, restored: is_restored, is_outdated: kept.is_outdated }
  })
  const base = saved ?? initial
  const changed = differing(base, value)
  const fields = JSON.stringify(changed)
  const from = JSON.stringify(pick(base, Object.keys(changed)))
  useEffect(() => keep(key, fields, from), [key, fields, from])
  const first = useRef(initial)
  useEffect(() => {
    first.current = initial
  })
  const empty = useCallback((sent: string) => {
    set((before) =>
      JSON.stringify(before.value) === sent ? { value: first.current, restored: false, is_outdated: false } : before,
    )
  }, [])
  useEffect(() => {
    const shown = forms.get(key) ?? new Set()
    forms.set(key, shown.add(empty))
    return () => void shown.delete(empty)
  }, [key, empty])
  const change = useCallback(
    (part: Partial<T>) => set((before) => ({ ...before, value: { ...before.value, ...part } })),
    [],
  )
  function forget(now_saved?: T) {
    drop(key, now_saved === undefined ? fields : JSON.stringify(differing(base, now_saved)))
    if (now_saved !== undefined) set((before) => ({ ...before, saved: now_saved, restored: false, is_outdated: false }))
    else for (const form of forms.get(key) ?? []) form(JSON.stringify(value))
  }
  return [value, change, forget, restored, is_outdated]
}

/** Logging out deletes all drafts of this browser. */
export function forgetDrafts(): void {
  for (const key of draftKeys()) localStorage.removeItem(key)
}

/** Removes a draft, unless it holds something else by now. */
function drop(key: string, fields: string): void {
  if (localStorage.getItem(key)?.includes(`,"fields":${fields},"base":`)) localStorage.removeItem(key)
}

function keep(key: string, fields: string, base: string): void {
  const text = `{"at":${Date.now()},"fields":${fields},"base":${base}}`
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
