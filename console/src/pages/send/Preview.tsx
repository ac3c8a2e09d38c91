import { useState } from 'react'
import type { Template } from '../../../../clients/typescript/src/types.ts'
import type { ApiError } from '../../api.ts'
import { useSession } from '../../session.ts'
import { number, t } from '../../text/text.ts'
import { IconButton } from '../../ui/Button.tsx'
import { DataList } from '../../ui/DataList.tsx'
import { Money, money } from '../../ui/Money.tsx'
import { Section } from '../../ui/Page.tsx'
import { phoneText, typedNumber } from '../../ui/Phone.tsx'
import { textFor, type Draft } from './draft.ts'
import type { Estimate } from './estimate.ts'
import { measure } from './measure.ts'
import { readRecipients } from './recipients.ts'

type Props = {
  draft: Draft
  template: Template | undefined
  estimate: Estimate | undefined
  refused: ApiError | null
}

/** What one of the recipients will read, and what all of it will cost. */
export function Preview({ draft, template, estimate, refused }: Props) {
  const { organisation } = useSession()
  const { numbers } = readRecipients(draft.recipients)
  const [chosen, setChosen] = useState(0)
  const index = Math.min(chosen, Math.max(0, numbers.length - 1))
  const chosen_number = numbers[index]
  const recipient = chosen_number && (typedNumber(chosen_number, organisation.default_country) ?? chosen_number)
  const sender = draft.sender_id || organisation.default_sender_id || t('No sender yet')
  const text = textFor(draft, template, chosen_number ?? '')
  const { encoding, pages } = measure(text)
  return (
    <div className="stack send-side">
      <Section
        title={t('Preview')}
        actions={
          numbers.length > 1 && (
            <>
              <IconButton
                label={t('Previous recipient')}
                icon="left"
                disabled={index === 0}
                onClick={() => setChosen(index - 1)}
              />
              <span className="small soft">{t('{n} of {all}', { n: index + 1, all: numbers.length })}</span>
              <IconButton
                label={t('Next recipient')}
                icon="right"
                disabled={index >= numbers.length - 1}
                onClick={() => setChosen(index + 1)}
              />
            </>
          )
        }
      >
        <div className="send-screen">
          <p className="soft small send-from">
            {recipient === undefined
              ? sender
              : t('{sender} to {recipient}', { sender, recipient: phoneText(recipient) })}
          </p>
          <p className={text === '' ? 'send-bubble soft' : 'send-bubble'}>{text || t('The text appears here.')}</p>
        </div>
      </Section>
      <Section title={t('Cost')}>
        <DataList
          items={[
            [t('Recipients'), number(numbers.length)],
            [t('Encoding'), draft.channel === 'sms' && (estimate?.encoding ?? encoding)],
            [t('Pages each'), draft.channel === 'sms' && (estimate?.pages ?? pages)],
            [
              t('Charge'),
              estimate ? (
                <b>
                  <Money amount={estimate.charge} />
                </b>
              ) : (
                <span className="soft">–</span>
              ),
            ],
            [
              t('Balance after'),
              estimate ? <Money amount={estimate.available_balance} /> : <span className="soft">–</span>,
            ],
          ]}
        />
        <p className="soft small" role="status">
          {note(estimate, refused, organisation.currency)}
        </p>
      </Section>
    </div>
  )
}

function note(estimate: Estimate | undefined, refused: ApiError | null, currency: string): string {
  if (refused) return refused.faults[0]?.message ?? refused.message
  if (!estimate) return t('Enter recipients and a text to see the cost.')
  if (estimate.available_balance < 0) return t('The balance does not cover it.')
  if (estimate.gsm_charge < estimate.charge) {
    return t('With GSM characters only, it would cost {cost}.', { cost: money(estimate.gsm_charge, currency) })
  }
  return t('Messages that were never submitted are refunded.')
}
