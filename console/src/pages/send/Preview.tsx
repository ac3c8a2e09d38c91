import { useState } from 'react'
import type { Template } from '../../../../src/templates/schema.ts'
import type { ApiError } from '../../api.ts'
import { useSession } from '../../session.ts'
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
  const number = numbers[index]
  const text = textFor(draft, template, number ?? '')
  const { encoding, pages } = measure(text)
  return (
    <div className="stack send-side">
      <Section
        title="Preview"
        actions={
          numbers.length > 1 && (
            <>
              <IconButton
                label="The recipient before"
                icon="left"
                disabled={index === 0}
                onClick={() => setChosen(index - 1)}
              />
              <span className="small soft">
                {index + 1} of {numbers.length}
              </span>
              <IconButton
                label="The next recipient"
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
            {draft.sender_id || organisation.default_sender_id || 'No sender yet'}
            {number !== undefined && ` to ${phoneText(typedNumber(number, organisation.default_country) ?? number)}`}
          </p>
          <p className={text === '' ? 'send-bubble soft' : 'send-bubble'}>{text || 'The text appears here.'}</p>
        </div>
      </Section>
      <Section title="Cost">
        <DataList
          items={[
            ['Recipients', numbers.length.toLocaleString('en')],
            ['Encoding', draft.channel === 'sms' && (estimate?.encoding ?? encoding)],
            ['Pages each', draft.channel === 'sms' && (estimate?.pages ?? pages)],
            [
              'Charge',
              estimate ? (
                <b>
                  <Money amount={estimate.charge} />
                </b>
              ) : (
                <span className="soft">–</span>
              ),
            ],
            [
              'Balance after',
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
  if (!estimate) return 'Give recipients and a text to see the charge.'
  if (estimate.available_balance < 0) return 'The balance does not cover it.'
  if (estimate.gsm_charge < estimate.charge) {
    return `In the letters of the GSM alphabet it would cost ${money(estimate.gsm_charge, currency)}.`
  }
  return 'What was never carried is given back.'
}
