import { useEffect, useRef, useState } from 'react'
import type { Media } from '../../../../clients/typescript/src/types.ts'
import { ApiError, upload, withQuery } from '../../api.ts'
import { t } from '../../text/text.ts'
import { IconButton } from '../Button.tsx'
import { kindName } from './content.ts'
import { sizeText } from './FileLine.tsx'

type State = { file: File; share: number; media?: Media; error?: string }

export type Attachment = {
  state: State | undefined
  busy: boolean
  /** What the message has of it, once it is uploaded. */
  sent: { content: object } | undefined
  attach: (file: File) => void
  remove: () => void
}

/** One file beside a reply or in a form. It is uploaded as soon as it is chosen. */
export function useAttachment(onStored?: (media: Media) => void): Attachment {
  const [state, setState] = useState<State>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  function remove() {
    running.current?.abort()
    setState(undefined)
  }
  function attach(file: File) {
    running.current?.abort()
    const stop = new AbortController()
    running.current = stop
    setState({ file, share: 0 })
    const change = (more: Partial<State>) => {
      if (!stop.signal.aborted) setState((was) => was && { ...was, ...more })
    }
    const stored = (media: Media) => {
      change({ share: 1, media })
      if (!stop.signal.aborted) onStored?.(media)
    }
    upload(withQuery('/media', { filename: file.name }), file, (share) => change({ share }), stop.signal).then(
      stored,
      (fault: unknown) => change({ error: wordsOf(fault) }),
    )
  }
  const { media, error } = state ?? {}
  const { kind, id, filename } = media ?? {}
  const named = kind === 'document' && filename !== undefined ? { filename } : {}
  return {
    state,
    busy: state !== undefined && media === undefined && error === undefined,
    sent: kind === undefined ? undefined : { content: { [kind]: { id, ...named } } },
    attach,
    remove,
  }
}

function wordsOf(fault: unknown): string {
  if (!(fault instanceof ApiError)) return t('The file could not be uploaded.')
  return fault.faults[0]?.message ?? fault.message
}

/** The file that is attached, how far it is, or why it was refused. */
export function Attached({ attachment: { state, busy, remove } }: { attachment: Attachment }) {
  if (!state) return null
  const { file, share, media, error } = state
  return (
    <div className="file-line" role="status">
      <span className="grow">
        {file.name} <span className="soft small">{sizeText(file.size)}</span>{' '}
        {media?.kind !== undefined && <span className="soft small">{kindName(media.kind)}</span>}
        {media && media.kind === undefined && t('WhatsApp does not take files of this type.')}
        {error !== undefined && <span role="alert">{error}</span>}
      </span>
      {busy && <progress value={share} max={1} aria-label={t('Progress')} />}
      <IconButton label={t('Remove the file')} icon="close" onClick={remove} />
    </div>
  )
}
