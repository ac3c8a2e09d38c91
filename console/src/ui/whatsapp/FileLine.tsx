import { useEffect, useState } from 'react'
import { download, fetchFile } from '../../api.ts'
import { number, t } from '../../text/text.ts'
import { Button } from '../Button.tsx'
import { kindName, type File } from './content.ts'

/** A file of a message: an image is shown, another one has a line to open or to save it. */
export function FileLine(file: File) {
  const { kind, link, id, filename, size, state = 'stored' } = file
  const name = filename ?? kindName(kind)
  if (state !== 'stored') {
    return (
      <span className="whatsapp-file soft">
        {name} {STATES[state]}
      </span>
    )
  }
  if (link !== undefined) {
    return (
      <a className="whatsapp-file" href={link} target="_blank" rel="noreferrer">
        {filename ?? `${name}: ${hostOf(link)}`}
      </a>
    )
  }
  if (id === undefined) return <span className="whatsapp-file">{name}</span>
  if (kind === 'image' || kind === 'sticker') return <Picture id={id} name={name} small={kind === 'sticker'} />
  return (
    <span className="whatsapp-file">
      {name} {size !== undefined && <span className="soft small">{sizeText(size)}</span>}
      <Button look="bare" icon="export" onClick={() => void download(`/media/${id}/content`, filename ?? kind)}>
        {t('Save||a file')}
      </Button>
    </span>
  )
}

/** Fetched with the session’s headers, which an address in `src` would not have. */
function Picture({ id, name, small }: { id: string; name: string; small: boolean }) {
  const [address, setAddress] = useState<string>()
  const [gone, setGone] = useState(false)
  useEffect(() => {
    const stop = new AbortController()
    let made: string | undefined
    fetchFile(`/media/${id}/content`, stop.signal).then(
      (blob) => setAddress((made = URL.createObjectURL(blob))),
      () => stop.signal.aborted || setGone(true),
    )
    return () => {
      stop.abort()
      if (made !== undefined) URL.revokeObjectURL(made)
    }
  }, [id])
  if (gone) return <span className="whatsapp-file soft">{t('{name} (no longer stored)', { name })}</span>
  if (address === undefined) return <span className="whatsapp-file soft">{name}</span>
  return (
    <a href={address} target="_blank" rel="noreferrer">
      <img className={small ? 'whatsapp-image small' : 'whatsapp-image'} src={address} alt={name} />
    </a>
  )
}

const STATES = {
  pending: t('(being downloaded)||a file'),
  refused: t('(refused: too large, or not what it says)||a file'),
  expired: t('(expired at WhatsApp before it could be downloaded)||a file'),
} as const

function hostOf(link: string): string {
  return URL.canParse(link) ? new URL(link).host : link
}

/** `18 KB`, `2.4 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000_000) return t('{n} KB', { n: number(Math.max(1, Math.round(bytes / 1_000))) })
  return t('{n} MB', { n: number(Math.round(bytes / 100_000) / 10) })
}
