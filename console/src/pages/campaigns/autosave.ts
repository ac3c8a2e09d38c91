import { useCallback, useEffect, useRef, useState } from 'react'
import { call } from '../../api.ts'
import { useDraft } from '../../draft.ts'
import { bodyOf, CAMPAIGNS, type CampaignDraft } from './campaigns.ts'

const TYPING_MS = 800
const RETRY_MS = 5_000

export type Saving = { state: 'saved' | 'saving' | 'unsaved'; fault?: string }

/**
 * A campaign that is being written. Each change is kept in this browser immediately and saved on the server, as an
 * incomplete campaign, once the typing pauses; what the server has is removed from the browser. `save` writes what
 * is not saved yet, `finish` saves the campaign complete. Writes never overtake each other.
 */
export function useAutosave(id: string, first: CampaignDraft) {
  const [saved, setSaved] = useState(first)
  const [draft, change] = useDraft(`campaign.${id}`, saved)
  const [fault, setFault] = useState<string>()
  const [writing, setWriting] = useState(false)
  const latest = useRef({ draft, saved })
  useEffect(() => {
    latest.current = { draft, saved }
  })
  const queue = useRef(Promise.resolve())

  const write = useCallback(
    (is_incomplete: boolean): Promise<void> => {
      const before = queue.current
      async function next() {
        await before
        const { draft: now, saved: known } = latest.current
        if (is_incomplete && isSame(now, known)) return
        setWriting(true)
        try {
          await call('PATCH', `${CAMPAIGNS}/${id}`, { ...bodyOf(now), ...(is_incomplete ? { is_incomplete } : {}) })
          latest.current.saved = now
          setSaved(now)
          setFault(undefined)
        } finally {
          setWriting(false)
        }
      }
      const turn = next()
      queue.current = turn.catch(() => {})
      return turn
    },
    [id],
  )
  const save = useCallback(() => write(true), [write])
  const finish = useCallback(() => write(false), [write])

  const unsaved = !isSame(draft, saved)
  useEffect(() => {
    if (!unsaved) return
    const quietly = () => void save().catch((reason: Error) => setFault(reason.message))
    const waiting = setTimeout(quietly, fault === undefined ? TYPING_MS : RETRY_MS)
    return () => clearTimeout(waiting)
  }, [draft, unsaved, fault, writing, save])
  // Another page of the console: what was typed last is saved without waiting.
  useEffect(() => () => void save().catch(() => {}), [save])

  const saving: Saving = {
    state: writing ? 'saving' : unsaved ? 'unsaved' : 'saved',
    ...(fault === undefined ? {} : { fault }),
  }
  return { draft, change, saving, save, finish }
}

function isSame(a: CampaignDraft, b: CampaignDraft): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
