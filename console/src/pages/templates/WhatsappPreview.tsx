import { t } from '../../text/text.ts'
import { HEADERS, parametersOf, type Draft } from './whatsapp.ts'
import './whatsapp.css'

/** The message as the phone shows it, with the samples filled in. */
export function WhatsappPreview({ draft }: { draft: Draft }) {
  const { header, header_value, header_sample, body, samples, footer, buttons } = draft
  const title = filled(header_value, [header_sample])
  return (
    <figure className="whatsapp-phone" aria-label={t('Preview')}>
      <div className="whatsapp-bubble">
        {header === 'text' && title !== '' && <p className="whatsapp-title">{title}</p>}
        {header !== 'text' && header !== 'none' && (
          <p className="whatsapp-media soft">{HEADERS.find(({ value }) => value === header)?.label}</p>
        )}
        <p className={body === '' ? 'whatsapp-text soft' : 'whatsapp-text'}>
          {body === '' ? t('The text appears here.') : formatted(filled(body, samples))}
        </p>
        {footer !== '' && <p className="soft small">{footer}</p>}
      </div>
      {buttons.map(({ type, text }, n) => (
        // oxlint-disable-next-line react/no-array-index-key -- buttons have no other identity
        <p key={n} className="whatsapp-button">
          {type === 'COPY_CODE' ? t('Copy the code') : text || '…'}
        </p>
      ))}
    </figure>
  )
}

function filled(text: string, samples: readonly string[]): string {
  const names = parametersOf(text)
  return text.replace(/\{\{([^{}]+)\}\}/g, (whole, name: string) => samples[names.indexOf(name.trim())] || whole)
}

/** WhatsApp’s markup: *bold*, _italic_ and ~struck~. */
function formatted(text: string) {
  return text.split(/(\*[^*\n]{1,500}\*|_[^_\n]{1,500}_|~[^~\n]{1,500}~)/).map((piece, n) => {
    const inner = piece.slice(1, -1)
    if (n % 2 === 0) return piece
    // oxlint-disable react/no-array-index-key -- pieces have no other identity
    if (piece.startsWith('*')) return <b key={n}>{inner}</b>
    return piece.startsWith('_') ? <i key={n}>{inner}</i> : <s key={n}>{inner}</s>
    // oxlint-enable react/no-array-index-key
  })
}
