import { useEffect, useState } from 'react'
import { changeQuery, go } from '../../router.tsx'
import { t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { DateRange } from '../../ui/DateRange.tsx'
import { SearchField } from '../../ui/fields.tsx'
import { STATUS_NAMES, STATUSES } from './messages.ts'

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
      <SearchField label={t('Search by number or reference')} value={text} onChange={setText} />
      <select
        aria-label={t('Status')}
        value={query.status ?? ''}
        onChange={(event) => changeQuery({ status: event.target.value })}
      >
        <option value="">{t('Any status')}</option>
        {STATUSES.map((status) => (
          <option key={status} value={status}>
            {STATUS_NAMES[status]}
          </option>
        ))}
      </select>
      <DateRange query={query} />
      {filtered && (
        <Button look="bare" onClick={() => go('/messages')}>
          {t('Clear')}
        </Button>
      )}
    </form>
  )
}
