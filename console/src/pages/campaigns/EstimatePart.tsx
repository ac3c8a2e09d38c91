import { useRead } from '../../read.ts'
import { DataList } from '../../ui/DataList.tsx'
import { Figure } from '../../ui/Figure.tsx'
import { Money } from '../../ui/Money.tsx'
import { Section } from '../../ui/Page.tsx'
import { phoneText } from '../../ui/Phone.tsx'
import { REASONS, type Campaign, type CampaignWithOutcomes } from './campaigns.ts'

type Estimate = NonNullable<Campaign['estimate']>

/** Who gets it, what it costs, who does not get it, and what it looks like. */
export function EstimatePart({ campaign, estimate }: { campaign: CampaignWithOutcomes; estimate: Estimate }) {
  const balance = useRead('/balance?limit=1')
  const left_out = Object.entries(estimate.left_out).sort(([, a], [, b]) => b - a)
  const nobody = left_out.reduce((sum, [, count]) => sum + count, 0)
  const several = campaign.texts.length > 1
  return (
    <>
      <dl className="figures" aria-live="polite">
        <Figure
          name="People"
          value={estimate.people.toLocaleString('en')}
          note={estimate.is_complete ? 'get it' : `${estimate.rows.toLocaleString('en')} looked at so far`}
        />
        <Figure
          name="Cost"
          value={<Money amount={estimate.charge} />}
          note={estimate.is_complete ? 'every text composed, every page counted' : 'so far'}
        />
        <Figure name="Left out" value={nobody.toLocaleString('en')} note="do not get it" />
        <Figure
          name="Balance after"
          value={balance.data ? <Money amount={balance.data.balance - estimate.charge} /> : '–'}
          note="if nothing else is sent"
        />
      </dl>
      <div className="campaign-columns">
        <Section title="What it costs">
          <DataList
            items={estimate.sizes.map(({ text_number, encoding, pages, people, charge }) => [
              `${several ? `Text ${text_number}, ` : ''}${encoding}, ${pages} ${pages === 1 ? 'page' : 'pages'}`,
              <>
                {people.toLocaleString('en')} × <Money amount={charge / people} /> = <Money amount={charge} />
              </>,
            ])}
          />
        </Section>
        <Section title="Left out">
          {left_out.length === 0 ? (
            <p className="soft">Nobody.</p>
          ) : (
            <DataList
              items={left_out.map(([reason, count]) => [REASONS[reason] ?? reason, count.toLocaleString('en')])}
            />
          )}
        </Section>
      </div>
      <Section title="What people read" lead="The first of them, and the longest text.">
        <ul className="campaign-samples">
          {estimate.samples.map(({ recipient, text, pages, encoding }) => (
            <li key={recipient}>
              <p className="soft small">
                {phoneText(recipient)} · {encoding}, {pages} {pages === 1 ? 'page' : 'pages'}
              </p>
              <p className="campaign-bubble">{text}</p>
            </li>
          ))}
        </ul>
      </Section>
    </>
  )
}
