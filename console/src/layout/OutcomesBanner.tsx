import { dismissOutcome, useOutcomes, type Outcome } from '../outcomes.ts'
import { Rich, t } from '../text/text.ts'
import { Button } from '../ui/Button.tsx'
import { Time } from '../ui/Time.tsx'

/** What became of each request that was in flight when the connection was lost. */
export function OutcomesBanner() {
  const outcomes = useOutcomes()
  if (outcomes.length === 0) return null
  return (
    <div className="banner" role="status">
      {outcomes.map((outcome) => (
        <p key={outcome.id}>
          <b>
            <Rich
              text="{what} of {time}||a request, when it was made"
              values={{ what: outcome.what, time: <Time at={outcome.since.toISOString()} /> }}
            />
          </b>{' '}
          {inWords(outcome)}{' '}
          {outcome.state !== 'unknown' && (
            <Button look="bare" onClick={() => dismissOutcome(outcome.id)}>
              {t('Dismiss')}
            </Button>
          )}
        </p>
      ))}
    </div>
  )
}

function inWords({ state, reason = '' }: Outcome): string {
  switch (state) {
    case 'unknown':
      return t(
        'The connection was lost before the answer. It is repeated once the service responds, and carried out only once.',
      )
    case 'done':
      return t('The service has confirmed it. It was carried out once.')
    case 'refused':
      return t('The service did not carry it out: {reason}', { reason })
    case 'given up':
      return t('It is not known whether it was carried out. Check before you repeat it.')
  }
}
