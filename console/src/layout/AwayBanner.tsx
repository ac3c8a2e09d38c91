import type { Away } from '../connection.ts'
import { Rich, t } from '../text/text.ts'
import { Time } from '../ui/Time.tsx'

/** A page that has stopped being true says so, until it is true again. */
export function AwayBanner({ away: { since, what } }: { away: Away }) {
  return (
    <div className="banner bad" role="alert">
      <p>
        <b>
          {what === 'service'
            ? t('The service is not responding.')
            : t('The service is not ready: its database is unavailable or being updated.')}
        </b>{' '}
        <Rich
          text="The data shown is from {time}; nothing can be sent or changed. Reconnecting every few seconds."
          values={{ time: <Time at={since.toISOString()} /> }}
        />
      </p>
    </div>
  )
}
