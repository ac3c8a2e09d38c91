import type { ReactNode } from 'react'
import { t } from '../../text/text.ts'
import { IconButton } from '../../ui/Button.tsx'
import { Section } from '../../ui/Page.tsx'
import { phoneText } from '../../ui/Phone.tsx'
import './send.css'

/** A text on the phone of one of the recipients, and buttons to step through them. */
export function PhonePreview({
  sender,
  recipient,
  text,
  place,
  all,
  choose,
  children,
}: {
  sender: string
  recipient: string | undefined
  text: string
  place: number
  all: number
  choose: (place: number) => void
  /** Instead of the text. */
  children?: ReactNode
}) {
  return (
    <Section
      title={t('Preview')}
      actions={
        all > 1 && (
          <>
            <IconButton
              label={t('Previous recipient')}
              icon="left"
              blocked={place === 0 ? t('this is the first') : undefined}
              onClick={() => choose(place - 1)}
            />
            <span className="small soft">{t('{n} of {all}', { n: place + 1, all })}</span>
            <IconButton
              label={t('Next recipient')}
              icon="right"
              blocked={place >= all - 1 ? t('this is the last') : undefined}
              onClick={() => choose(place + 1)}
            />
          </>
        )
      }
    >
      <div className="send-screen">
        <p className="soft small send-from">
          {recipient === undefined
            ? sender
            : t('From {sender} to {recipient}', { sender, recipient: phoneText(recipient) })}
        </p>
        {children || (
          <p className={text === '' ? 'send-bubble soft' : 'send-bubble'}>{text || t('The text appears here.')}</p>
        )}
      </div>
    </Section>
  )
}
