import { useCallback, useEffect, useRef, useState } from 'react'
import { call } from '../../api.ts'
import { useDraft } from '../../draft.ts'
import { useSession } from '../../session.ts'
import { beforeLeaving } from '../../unsaved.ts'
import { bodyOf, CAMPAIGNS, type CampaignDraft } from './campaigns.ts'

const TYPING_MS = 800
const RETRY_MS = 5_000

export type Saving = { state: 'saved' | 'saving' | 'unsaved'; fault?: string }

/**
 * A campaign that is being written. Each change is kept in this browser immediately and saved on the server, as an
 * incomplete campaign, once the typing pauses; what the server has is removed from the browser. `save` writes what
 * is not saved yet, `finish` saves the campaign complete. Writes never overtake each other, and write only what was
 * changed here. A restored draft of a campaign that was changed elsewhere since is `held` until the user decides.
 */
export function useAutosave(id: string, first: CampaignDraft) {
  // The user may have switched to another organisation by the time of the last write.
  const organisation_id = useSession().organisation.id
  const [saved, setSaved] = useState(first)
  const [draft, change, forget, , is_outdated] = useDraft(`campaign.${id}`, saved)
  const [decided, setDecided] = useState(false)
  const held = is_outdated && !decided
  const [fault, setFault] = useState<string>()
  const [writing, setWriting] = useState(false)
  const latest = useRef({ draft, saved, held })
  useEffect(() => {
    latest.current = { draft, saved, held }
  })
  const queue = useRef(Promise.resolve())

  const write = useCallback(
    (is_incomplete: boolean): Promise<void> => {
      const before = queue.current
      async function next() {
        await before
        const { draft: now, saved: known, held: waits } = latest.current
        if (is_incomplete && (waits || isSame(now, known))) return
        setWriting(true)
        try {
          const body = is_incomplete ? { ...changesOf(known, now), is_incomplete } : bodyOf(now)
          await call('PATCH', `${CAMPAIGNS}/${id}`, body, { organisation_id })
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
    [id, organisation_id],
  )
  const save = useCallback(() => write(true), [write])
  const finish = useCallback(() => write(false), [write])

  const unsaved = !isSame(draft, saved)
  useEffect(() => {
    if (!unsaved || held) return
    const quietly = () => void save().catch((reason: Error) => setFault(reason.message))
    const waiting = setTimeout(quietly, fault === undefined ? TYPING_MS : RETRY_MS)
    return () => clearTimeout(waiting)
  }, [draft, unsaved, held, fault, writing, save])
  // Another page of the console: what was typed last is saved without waiting.
  useEffect(() => () => void save().catch(() => {}), [save])
  useEffect(() => beforeLeaving(save), [save])

  const saving: Saving = {
    state: writing ? 'saving' : unsaved ? 'unsaved' : 'saved',
    ...(fault === undefined ? {} : { fault }),
  }
  return { draft, change, saving, save, finish, held, keep: () => setDecided(true), discard: () => forget() }
}

/** The fields of the request that differ. */
function changesOf(known: CampaignDraft, now: CampaignDraft): object {
  const before = new Map<string, unknown>(Object.entries(bodyOf(known)))
  return Object.fromEntries(
    Object.entries(bodyOf(now)).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before.get(name))),
  )
}

function isSame(a: CampaignDraft, b: CampaignDraft): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
