import { t } from '../../text/text.ts'
import { FileLine } from '../../ui/whatsapp/FileLine.tsx'
import { Formatted } from '../../ui/whatsapp/Parts.tsx'
import { HEADERS, labelOf, type Card, type Shown } from './whatsapp.ts'
import '../../ui/whatsapp/whatsapp.css'

/** The message as the phone shows it, with the samples filled in, and the cards of a carousel under it. */
export function WhatsappPreview({ shown, cards }: { shown: Shown; cards: readonly Card[] }) {
  return (
    <figure className="whatsapp-phone" aria-label={t('Preview')}>
      <Bubble shown={shown} />
      {cards.length > 0 && (
        <ol className="whatsapp-cards">
          {cards.map((card) => (
            <li key={card.place}>
              <Bubble shown={card} />
            </li>
          ))}
        </ol>
      )}
    </figure>
  )
}

function Bubble({ shown }: { shown: Shown }) {
  const { header, header_value, header_file, header_filename, header_sample, body, samples, footer, buttons } = shown
  const title = filled(header_value, () => header_sample)
  return (
    <>
      <div className="whatsapp-bubble">
        {header === 'text' && title !== '' && <p className="whatsapp-title">{title}</p>}
        {header === 'image' && header_file !== '' ? (
          <FileLine key={header_file} kind="image" id={header_file} filename={header_filename || undefined} />
        ) : (
          header !== 'text' && header !== 'none' && <p className="whatsapp-media soft">{labelOf(HEADERS, header)}</p>
        )}
        <p className={body === '' ? 'whatsapp-text soft' : 'whatsapp-text'}>
          {body === '' ? t('The text appears here.') : <Formatted text={filled(body, (name) => samples[name])} />}
        </p>
        {footer !== '' && <p className="soft small">{footer}</p>}
      </div>
      {buttons.map(({ place, type, text }) => (
        <p key={place} className="whatsapp-button">
          {type === 'COPY_CODE' ? t('Copy the code') : text || '…'}
        </p>
      ))}
    </>
  )
}

function filled(text: string, sampleOf: (name: string) => string | undefined): string {
  return text.replace(/\{\{([^{}]+)\}\}/g, (whole, name: string) => sampleOf(name.trim()) || whole)
}
