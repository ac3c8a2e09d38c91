import { useState } from 'react'
import { isCovered } from '../../balance.ts'
import { useRead } from '../../read.ts'
import { useSession } from '../../session.ts'
import { number, plural, t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { DataList } from '../../ui/DataList.tsx'
import { Figure } from '../../ui/Figure.tsx'
import { Money } from '../../ui/Money.tsx'
import { Section } from '../../ui/Page.tsx'
import { phoneText } from '../../ui/Phone.tsx'
import { TopUp } from '../ledger/TopUp.tsx'
import { REASONS, type Campaign, type CampaignWithOutcomes } from './campaigns.ts'
import { DownloadRecipients, RecipientList } from './RecipientList.tsx'

type Estimate = NonNullable<Campaign['estimate']>

/** Recipients, cost, exclusions and a preview. */
export function EstimatePart({ campaign, estimate }: { campaign: CampaignWithOutcomes; estimate: Estimate }) {
  const balance = useRead('/balance?limit=1')
  const left_out = Object.entries(estimate.left_out).sort(([, a], [, b]) => b - a)
  const left_out_count = left_out.reduce((sum, [, count]) => sum + count, 0)
  const several = campaign.texts.length > 1
  const after = balance.data && balance.data.balance - estimate.charge
  const [open, setOpen] = useState(false)
  return (
    <>
      <dl className="figures" aria-live="polite">
        <Figure
          name={t('People')}
          value={number(estimate.people)}
          note={estimate.is_complete ? t('will receive it') : t('{n} checked so far', { n: number(estimate.rows) })}
        />
        <Figure
          name={t('Cost')}
          value={<Money amount={estimate.charge} />}
          note={estimate.is_complete ? t('every text composed, every page counted') : t('so far')}
        />
        <Figure name={t('Left out')} value={number(left_out_count)} note={t('will not receive it')} />
        <Figure
          name={t('Balance after')}
          value={after === undefined ? '–' : <Money amount={after} />}
          note={t('if nothing else is sent')}
        />
      </dl>
      {balance.data && !isCovered(balance.data, estimate.charge) && <NotCovered />}
      <div className="campaign-columns">
        {estimate.sizes.length > 0 && (
          <Section title={t('Cost breakdown')}>
            <DataList
              items={estimate.sizes.map(({ text_number, encoding, pages, people, charge }) => [
                several
                  ? t('Text {n}, {size}', { n: text_number, size: sizeOf(encoding, pages) })
                  : sizeOf(encoding, pages),
                <>
                  {number(people)} × <Money amount={charge / people} /> = <Money amount={charge} />
                </>,
              ])}
            />
          </Section>
        )}
        <Section
          title={t('Left out')}
          actions={left_out_count > 0 && <DownloadRecipients id={campaign.id} outcome="left_out" />}
        >
          {left_out.length === 0 ? (
            <p className="soft">{t('No recipient is left out.')}</p>
          ) : (
            <>
              <DataList items={left_out.map(([reason, count]) => [REASONS[reason] ?? reason, number(count)])} />
              <details onToggle={(event) => setOpen(event.currentTarget.open)}>
                <summary>{t('Show excluded recipients')}</summary>
                {open && <RecipientList id={campaign.id} outcome="left_out" />}
              </details>
            </>
          )}
        </Section>
      </div>
      {estimate.samples.length > 0 && (
        <Section title={t('Text')} lead={t('The first of them, and the longest text.')}>
          <ul className="campaign-samples">
            {estimate.samples.map(({ recipient, text, text_number, pages, encoding }) => (
              <li key={recipient}>
                <p className="soft small">
                  {several && <>{t('Text {n}', { n: text_number })} · </>}
                  {phoneText(recipient)} · {sizeOf(encoding, pages)}
                </p>
                <p className="campaign-bubble">{text}</p>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}

/** The balance does not cover the campaign: an operator tops it up from here. */
function NotCovered() {
  const { operator, organisation } = useSession()
  const [topping, setTopping] = useState(false)
  return (
    <div className="campaign-notice row" role="status">
      <span>{t('The balance does not cover it.')}</span>
      {operator ? (
        <Button onClick={() => setTopping(true)}>{t('Top up')}</Button>
      ) : (
        <span>{t('Ask the operator of this service to top it up.')}</span>
      )}
      {topping && <TopUp organisation={organisation} onClose={() => setTopping(false)} />}
    </div>
  )
}

function sizeOf(encoding: string, pages: number): string {
  return plural(pages, '{encoding}, {n} page', '{encoding}, {n} pages', { encoding })
}
