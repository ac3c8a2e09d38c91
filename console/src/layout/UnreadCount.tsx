import { useRead } from '../read.ts'
import { plural } from '../text/text.ts'

const EVERY_MS = 30_000
const MOST = 99

/** How many conversations have unread texts. Pages with live updates refresh it sooner. */
export function UnreadCount() {
  const found = useRead('/conversations?unread=true&limit=1', { every_ms: EVERY_MS })
  const count = found.data?.meta.pagination.count_total ?? 0
  if (count === 0) return null
  return (
    <span className="nav-count">
      {count > MOST ? `${MOST}+` : count}
      <span className="unseen"> {plural(count, 'unread||one conversation', 'unread||several conversations')}</span>
    </span>
  )
}
