import type { Away } from '../connection.ts'
import { Time } from '../ui/Time.tsx'

/** A page that has stopped being true says so, until it is true again. */
export function AwayBanner({ away: { since, what } }: { away: Away }) {
  return (
    <div className="banner bad" role="alert">
      <p>
        <b>
          {what === 'service'
            ? 'The service does not answer.'
            : 'The service is not ready: its database is away or being updated.'}
        </b>{' '}
        What you see is from before <Time at={since.toISOString()} />; nothing can be sent or changed. It is asked again
        every few seconds.
      </p>
    </div>
  )
}
