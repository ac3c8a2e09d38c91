import { useState } from 'react'
import type { ConfiguredEntry } from '../../../api-types.ts'
import { useDraft } from '../../../draft.ts'
import type { Settings } from './settings.ts'

/**
 * The form of an entry, kept as a draft. `base` are the settings it began with, of which it keeps what only JSON has; `fill`
 * begins with others.
 */
export function useEntryDraft<Draft extends object>(
  kind: ConfiguredEntry['kind'],
  entry: ConfiguredEntry | undefined,
  read: (settings: Settings) => Draft,
) {
  const stored: Settings = entry?.settings ?? {}
  const [base, setBase] = useState(stored)
  const draft = useDraft(`${kind}.${entry?.name ?? 'new'}`, read(stored))
  const [, change] = draft
  function fill(settings: Settings) {
    setBase(settings)
    change(read(settings))
  }
  return { base, draft, fill }
}
