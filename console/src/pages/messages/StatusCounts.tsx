import type { FoundMessage } from '../../../../src/messaging/read/schema.ts'
import { Badge } from '../../ui/Badge.tsx'
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
          {(!alone || count > 1) && <span className="soft">{count.toLocaleString('en')}</span>}
          <Badge status={status} />
        </span>
      ))}
    </span>
  )
}

/** For a line of a list: what most recipients came to, and how many did not. */
export function MainStatus({ statuses }: { statuses: Statuses }) {
  const [most, ...others] = byCount(statuses)
  if (!most) return null
  const rest = others.reduce((sum, [, count]) => sum + count, 0)
  return (
    <span className="nowrap">
      <Badge status={most[0]} />
      {(rest > 0 || most[1] > 1) && (
        <span className="soft small">
          {' '}
          {most[1].toLocaleString('en')}
          {rest > 0 && ` of ${(most[1] + rest).toLocaleString('en')}`}
        </span>
      )}
    </span>
  )
}

function byCount(statuses: Statuses): [string, number][] {
  return STATUSES.map((status): [string, number] => [status, statuses[status] ?? 0])
    .filter(([, count]) => count > 0)
    .sort(([, a], [, b]) => b - a)
}
