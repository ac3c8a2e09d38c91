import { useEffect, useState } from 'react'
import { changeQuery, go } from '../../router.tsx'
import { Button } from '../../ui/Button.tsx'
import { SearchField } from '../../ui/fields.tsx'
import { STATUSES } from './messages.ts'

const TYPING_MS = 300

/** The filters live in the address, so that a search can be kept as a bookmark and sent to a colleague. */
export function Filters({ query }: { query: Record<string, string> }) {
  const [text, setText] = useState(query.q ?? '')
  useEffect(() => setText(query.q ?? ''), [query.q])
  useEffect(() => {
    if (text === (query.q ?? '')) return
    const waiting = setTimeout(() => changeQuery({ q: text }), TYPING_MS)
    return () => clearTimeout(waiting)
  }, [text, query.q])
  const filtered = Object.keys(query).length > 0
  return (
    <form role="search" className="filters" onSubmit={(event) => event.preventDefault()}>
      <SearchField label="Search by number or reference" value={text} onChange={setText} />
      <select
        aria-label="Status"
        value={query.status ?? ''}
        onChange={(event) => changeQuery({ status: event.target.value })}
      >
        <option value="">Any status</option>
        {STATUSES.map((status) => (
          <option key={status}>{status}</option>
        ))}
      </select>
      <label className="filter-time">
        <span>from</span>
        <input
          type="datetime-local"
          value={query.from ?? ''}
          onChange={(event) => changeQuery({ from: event.target.value })}
        />
      </label>
      <label className="filter-time">
        <span>until</span>
        <input
          type="datetime-local"
          value={query.until ?? ''}
          onChange={(event) => changeQuery({ until: event.target.value })}
        />
      </label>
      {filtered && (
        <Button look="bare" onClick={() => go('/messages')}>
          Clear
        </Button>
      )}
    </form>
  )
}
