import { t } from '../../text/text.ts'
import { kindName, type File } from './content.ts'

/** A file of a message: an image is shown, another one has a line to open or to save it. */
export function FileLine(file: File) {
  const { kind, link, filename, state = 'stored' } = file
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
  return <span className="whatsapp-file">{name}</span>
}

const STATES = {
  pending: t('(being downloaded)||a file'),
  refused: t('(refused: too large, or not what it says)||a file'),
  expired: t('(expired at WhatsApp before it could be downloaded)||a file'),
} as const

function hostOf(link: string): string {
  return URL.canParse(link) ? new URL(link).host : link
}
