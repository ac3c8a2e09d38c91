import { useState } from 'react'
import type { Template } from '../../../../clients/typescript/src/types.ts'
import type { ApiError } from '../../api.ts'
import { useSession } from '../../session.ts'
import { number, t } from '../../text/text.ts'
import { DataList } from '../../ui/DataList.tsx'
import { Money, money } from '../../ui/Money.tsx'
import { Section } from '../../ui/Page.tsx'
import { typedNumber } from '../../ui/Phone.tsx'
import { textFor, type Draft } from './draft.ts'
import type { Estimate } from './estimate.ts'
import { measure } from './measure.ts'
import { PhonePreview } from './PhonePreview.tsx'

type Props = {
  draft: Draft
  numbers: readonly string[]
  template: Template | undefined
  estimate: Estimate | undefined
  refused: ApiError | null
}

/** What one of the recipients will read, and what all of it will cost. */
export function Preview({ draft, numbers, template, estimate, refused }: Props) {
  const { organisation, session } = useSession()
  const [chosen, setChosen] = useState(0)
  const index = Math.min(chosen, Math.max(0, numbers.length - 1))
  const chosen_number = numbers[index]
  const recipient = chosen_number && (typedNumber(chosen_number, organisation.default_country) ?? chosen_number)
  const sender = draft.sender_id || organisation.default_sender_id || t('No sender yet')
  const text = textFor(draft, template, { number: chosen_number ?? '', short_link: session.short_link })
  const { encoding, pages } = measure(text)
  return (
    <div className="stack send-side">
      <PhonePreview
        sender={sender}
        recipient={recipient}
        text={text}
        place={index}
        all={numbers.length}
        choose={setChosen}
      />
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
  if (!estimate.is_covered) return t('The balance does not cover it.')
  if (estimate.gsm_charge < estimate.charge) {
    return t('With GSM characters only, it would cost {cost}.', { cost: money(estimate.gsm_charge, currency) })
  }
  return t('Messages that were never submitted are refunded.')
}
