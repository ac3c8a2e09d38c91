import { number, Rich, t } from '../../text/text.ts'
import { Figure, percent } from '../../ui/Figure.tsx'
import { Money } from '../../ui/Money.tsx'
import { people, type CampaignWithOutcomes } from './campaigns.ts'

const IS_OVER: ReadonlySet<string> = new Set(['finished', 'canceled'])

/** How far it is, by the second. */
export function ProgressPart({ campaign }: { campaign: CampaignWithOutcomes }) {
  const { status, estimate, progress, outcomes } = campaign
  const all = Math.max(estimate?.people ?? 0, progress.accepted)
  const delivered = outcomes.delivered ?? 0
  const share = all === 0 ? 1 : progress.accepted / all
  const { accepted, taken_back, dropped } = progress
  return (
    <>
      <div
        className="campaign-bar"
        role="progressbar"
        aria-label={t('Sent||to people')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.floor(100 * share)}
      >
        <span style={{ inlineSize: `${100 * share}%` }} />
      </div>
      <dl className="figures" aria-live="polite">
        <Figure name={t('Sent||to people')} value={number(accepted)} note={t('of {people}', { people: people(all) })} />
        <Figure
          name={t('Delivered||to people')}
          value={number(delivered)}
          note={percent(accepted > 0 ? delivered / accepted : undefined)}
        />
        <Figure
          name={t('Charged')}
          value={<Money amount={progress.charge} />}
          note={
            progress.given_back > 0 ? (
              <Rich text="{amount} refunded" values={{ amount: <Money amount={progress.given_back} /> }} />
            ) : IS_OVER.has(status) ? (
              t('in total')
            ) : (
              t('so far')
            )
          }
        />
        <Figure
          name={t('Canceled')}
          value={number(taken_back)}
          note={dropped > 0 ? t('{n} excluded while sending', { n: number(dropped) }) : t('before sending')}
        />
      </dl>
    </>
  )
}
