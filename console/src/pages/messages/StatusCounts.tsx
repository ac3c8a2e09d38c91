import { Badge } from '../../ui/Badge.tsx'
import { STATUSES, type Statuses } from './messages.ts'

/** One badge when all recipients fared alike, else one for each fate with how many shared it. */
export function StatusCounts({ statuses }: { statuses: Statuses }) {
  const present = STATUSES.filter((status) => (statuses[status] ?? 0) > 0)
  const alone = present.length === 1
  return (
    <span className="status-counts">
      {present.map((status) => {
        const count = statuses[status] ?? 0
        return (
          <span key={status} className="status-count">
            {(!alone || count > 1) && <span className="soft">{count.toLocaleString('en')}</span>}
            <Badge status={status} />
          </span>
        )
      })}
    </span>
  )
}
