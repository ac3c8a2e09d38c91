import { number, t } from '../../text/text.ts'
import { percent } from '../../ui/Figure.tsx'
import type { CampaignReport } from './campaigns.ts'

/** From sent to answered. Every rate has the same base, the recipients it was sent to, so that the steps can be compared. */
export function Funnel({ report }: { report: CampaignReport }) {
  const { people, outcomes, clicked, replied, opted_out } = report
  const sent = people - (outcomes.waiting ?? 0) - (outcomes.canceled ?? 0)
  const steps = [
    [t('Sent||to people'), sent],
    [t('Delivered||to people'), outcomes.delivered ?? 0],
    [t('Clicked||people'), clicked],
    [t('Replied||people'), replied],
    [t('Opted out||people'), opted_out],
  ] as const
  return (
    <ol className="campaign-funnel" aria-label={t('From sending to reply, as a share of those it was sent to')}>
      {steps.map(([name, count]) => {
        const share = sent === 0 ? undefined : count / sent
        return (
          <li key={name}>
            <span>{name}</span>
            <b>{number(count)}</b>
            <span className="soft">{percent(share)}</span>
            <span className="campaign-funnel-bar" aria-hidden="true">
              <span style={{ inlineSize: `${100 * Math.min(1, share ?? 0)}%` }} />
            </span>
          </li>
        )
      })}
    </ol>
  )
}
