import { useEffect, useState } from 'react'
import { changeQuery, go } from '../../router.tsx'
import { t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { DateRange } from '../../ui/date/DateRange.tsx'
import { SearchField, FilterForm } from '../../ui/fields.tsx'
import { Select } from '../../ui/select/Select.tsx'
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
    <FilterForm>
      <SearchField label={t('Search by number or reference')} value={text} onChange={setText} />
      <Select
        label={t('Status')}
        value={query.status ?? ''}
        onChange={(status) => changeQuery({ status })}
        choices={[
          { value: '', label: t('Any status') },
          ...STATUSES.map((status) => ({ value: status, label: STATUS_NAMES[status] })),
        ]}
      />
      <DateRange query={query} />
      {filtered && (
        <Button look="bare" onClick={() => go('/messages')}>
          {t('Clear')}
        </Button>
      )}
    </FilterForm>
  )
}
