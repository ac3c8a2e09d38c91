import { CopyButton } from '../CopyButton.tsx'
import { placed } from '../Phone.tsx'
import { Phone } from '../Phone.tsx'
import { t } from '../../text/text.ts'
import { FileLine } from './FileLine.tsx'
import { choicesOf, filesOf, type Choice, type Content, type ReceivedFile } from './content.ts'
import './whatsapp.css'

/** What stands above the text of a WhatsApp message: a title, a file, a place or people. */
export function Above({ content, received }: { content: Content; received?: ReceivedFile | undefined }) {
  const { header, location, contacts } = content
  return (
    <>
      {header?.text !== undefined && <span className="whatsapp-title">{header.text}</span>}
      {filesOf(content, received).map((file) => (
        <FileLine key={file.kind} {...file} />
      ))}
      {location && <Place {...location} />}
      {contacts?.map(({ name, phones = [], emails = [] }, n) => (
        // oxlint-disable-next-line react/no-array-index-key -- people have no other identity
        <span key={n} className="whatsapp-card">
          <b>{name.formatted_name}</b>
          {phones.map(({ phone, wa_id }) => (
            <span key={phone}>{wa_id === undefined ? phone : <Phone number={wa_id} />}</span>
          ))}
          {emails.map(({ email }) => (
            <span key={email}>{email}</span>
          ))}
        </span>
      ))}
    </>
  )
}

function Place({ latitude, longitude, name, address }: NonNullable<Content['location']>) {
  const where = `${latitude}, ${longitude}`
  return (
    <a
      className="whatsapp-card"
      href={`https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`}
      target="_blank"
      rel="noreferrer"
    >
      <b>{name ?? t('Location')}</b>
      <span>{address ?? where}</span>
    </a>
  )
}

/** What stands below the text: a footer, and what can be chosen. `onChoose`: the choices are buttons. */
export function Below({ content, onChoose }: { content: Content; onChoose?: ((choice: Choice) => void) | undefined }) {
  const choices = choicesOf(content)
  const { list, footer, cards } = content
  return (
    <>
      {footer !== undefined && <span className="soft small">{footer}</span>}
      {list ? (
        <details className="whatsapp-list">
          <summary>{list.button}</summary>
          {list.sections.map((section, n) => (
            // oxlint-disable-next-line react/no-array-index-key -- sections have no other identity
            <div key={n}>
              {section.title !== undefined && <b className="small">{section.title}</b>}
              <Choices
                choices={choices.filter(({ id }) => section.rows.some((row) => row.id === id))}
                {...{ onChoose }}
              />
            </div>
          ))}
        </details>
      ) : (
        <Choices choices={choices} {...{ onChoose }} />
      )}
      {cards && (
        <ol className="whatsapp-cards" aria-label={t('Cards')} tabIndex={0}>
          {cards.map(({ header, text, texts, ...buttons }, n) => (
            // oxlint-disable-next-line react/no-array-index-key -- cards have no other identity
            <li key={n}>
              {header && <Above content={{ header }} />}
              <span className="whatsapp-text">
                <Formatted text={text ?? (texts ?? []).join(', ')} />
              </span>
              <Choices choices={choicesOf(buttons)} {...{ onChoose }} />
            </li>
          ))}
        </ol>
      )}
    </>
  )
}

function Choices({
  choices,
  onChoose,
}: {
  choices: readonly Choice[]
  onChoose: ((choice: Choice) => void) | undefined
}) {
  if (choices.length === 0) return null
  return (
    <span className="whatsapp-choices">
      {choices.map((choice) => {
        const { id, title, description, url, code } = choice
        if (code !== undefined) return <CopyButton key={title} text={code} label={title} />
        const label = (
          <>
            {title}
            {description !== undefined && <span className="small">{description}</span>}
          </>
        )
        if (url !== undefined) {
          return (
            <a key={title} className="whatsapp-button" href={url} target="_blank" rel="noreferrer">
              {label}
            </a>
          )
        }
        return onChoose && id !== undefined ? (
          <button key={id} type="button" className="whatsapp-button" onClick={() => onChoose(choice)}>
            {label}
          </button>
        ) : (
          <span key={id ?? title} className="whatsapp-button">
            {label}
          </span>
        )
      })}
    </span>
  )
}

/** WhatsApp’s markup: *bold*, _italic_ and ~struck~. */
export function Formatted({ text }: { text: string }) {
  return placed(text.split(/(\*[^*\n]{1,500}\*|_[^_\n]{1,500}_|~[^~\n]{1,500}~)/)).map(({ at, part }, n) => {
    const inner = part.slice(1, -1)
    if (n % 2 === 0) return part
    if (part.startsWith('*')) return <b key={at}>{inner}</b>
    return part.startsWith('_') ? <i key={at}>{inner}</i> : <s key={at}>{inner}</s>
  })
}
