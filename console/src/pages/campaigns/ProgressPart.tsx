import { Figure, percent } from '../../ui/Figure.tsx'
import { Money } from '../../ui/Money.tsx'
import { people, type CampaignWithOutcomes } from './campaigns.ts'

/** How far it is, by the second. */
export function ProgressPart({ campaign }: { campaign: CampaignWithOutcomes }) {
  const { estimate, progress, outcomes } = campaign
  const all = Math.max(estimate?.people ?? 0, progress.accepted)
  const delivered = outcomes.delivered ?? 0
  const share = all === 0 ? 1 : progress.accepted / all
  const { accepted, taken_back, dropped } = progress
  return (
    <>
      <div
        className="campaign-bar"
        role="progressbar"
        aria-label="Sent"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(100 * share)}
      >
        <span style={{ inlineSize: `${100 * share}%` }} />
      </div>
      <dl className="figures" aria-live="polite">
        <Figure name="Sent" value={accepted.toLocaleString('en')} note={`of ${people(all)}`} />
        <Figure
          name="Delivered"
          value={delivered.toLocaleString('en')}
          note={percent(accepted > 0 ? delivered / accepted : undefined)}
        />
        <Figure
          name="Charged"
          value={<Money amount={progress.charge} />}
          note={
            progress.given_back > 0 ? (
              <>
                <Money amount={progress.given_back} /> given back
              </>
            ) : (
              'so far'
            )
          }
        />
        <Figure
          name="Taken back"
          value={taken_back.toLocaleString('en')}
          note={dropped > 0 ? `${dropped.toLocaleString('en')} left out on the way` : 'before they left'}
        />
      </dl>
    </>
  )
}
