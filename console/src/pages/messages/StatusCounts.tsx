import type { FoundMessage } from '../../api-types.ts'
import { number, Rich, t } from '../../text/text.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Time } from '../../ui/Time.tsx'
import { STATUSES } from './messages.ts'

type Statuses = FoundMessage['statuses']

/** One badge when all recipients fared alike, else one for each fate with how many shared it. */
export function StatusCounts({ statuses }: { statuses: Statuses }) {
  const present = byCount(statuses)
  const alone = present.length === 1
  return (
    <span className="status-counts">
      {present.map(([status, count]) => (
        <span key={status} className="status-count">
          {(!alone || count > 1) && <span className="soft">{number(count)}</span>}
          <Badge status={status} />
        </span>
      ))}
    </span>
  )
}

/**
 * For a row of a list: the most common status, and the number of other recipients. Never green if some failed; scheduled
 * messages show their time.
 */
export function MainStatus({
  message: { statuses, send_at },
}: {
  message: Pick<FoundMessage, 'statuses' | 'send_at'>
}) {
  const present = byCount(statuses)
  const [most, ...others] = present
  if (!most) return null
  const total = present.reduce((sum, [, count]) => sum + count, 0)
  const bad = present.filter(([status]) => BAD.has(status)).reduce((sum, [, count]) => sum + count, 0)
  if (bad > 0 && bad < total) {
    return (
      <span className="nowrap">
        <Badge
          status={most[0] === 'delivered' ? t('partly delivered||status') : t('partly failed||status')}
          tone="warn"
        />
        <span className="soft small second-line">
          {' '}
          {t('{bad} of {total} failed', { bad: number(bad), total: number(total) })}
        </span>
      </span>
    )
  }
  return (
    <span className="nowrap">
      <Badge status={most[0]} />
      {total > 1 && (
        <span className="soft small">
          {' '}
          {others.length > 0
            ? t('{part} of {total}', { part: number(most[1]), total: number(total) })
            : number(most[1])}
        </span>
      )}
      {send_at !== undefined && (
        <span className="soft small second-line">
          {' '}
          <Rich text="for {time}||when it is sent" values={{ time: <Time at={send_at} seconds={false} /> }} />
        </span>
      )}
    </span>
  )
}

const BAD = new Set(['undelivered', 'expired', 'rejected', 'failed'])

function byCount(statuses: Statuses): [string, number][] {
  return STATUSES.map((status): [string, number] => [status, statuses[status] ?? 0])
    .filter(([, count]) => count > 0)
    .sort(([, a], [, b]) => b - a)
}
