import type { Away } from '../connection.ts'
import { useInFlight } from '../in-flight.ts'
import { plural, Rich, t } from '../text/text.ts'
import { Time } from '../ui/Time.tsx'

/** A page that has stopped being true says so, until it is true again, and what is not known of the last requests. */
export function AwayBanner({ away: { since, what } }: { away: Away }) {
  const in_flight = useInFlight()
  return (
    <div className="banner bad" role="alert">
      <p>
        <b>
          {what === 'service'
            ? t('The service is not responding.')
            : t('The service is not ready: its database is unavailable or being updated.')}
        </b>{' '}
        <Rich
          text="The data shown is from {time}. Reconnecting every few seconds."
          values={{ time: <Time at={since.toISOString()} /> }}
        />{' '}
        {in_flight > 0 &&
          plural(
            in_flight,
            '{n} request has no answer yet: the service may or may not have received it.',
            '{n} requests have no answer yet: the service may or may not have received them.',
          )}
      </p>
    </div>
  )
}
