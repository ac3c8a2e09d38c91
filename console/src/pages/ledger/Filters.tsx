import { useEffect, useState } from 'react'
import { changeQuery, go } from '../../router.tsx'
import { t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { DateFilter } from '../../ui/date/DateField.tsx'
import { SearchField, FilterForm } from '../../ui/fields.tsx'
import { Select } from '../../ui/select/Select.tsx'
import { KINDS } from './filter.ts'

const TYPING_MS = 300
const EDGES = { from: t('from||a day'), until: t('until||a day') }

/** The filters live in the address, so that they can be kept as a bookmark and sent to a colleague. */
export function Filters({ query, by_message }: { query: Record<string, string>; by_message: boolean }) {
  const [text, setText] = useState(query.q ?? '')
  useEffect(() => setText(query.q ?? ''), [query.q])
  useEffect(() => {
    if (text === (query.q ?? '')) return
    const waiting = setTimeout(() => changeQuery({ q: text }), TYPING_MS)
    return () => clearTimeout(waiting)
  }, [text, query.q])
  const filtered = Object.keys(query).some((name) => name !== 'by')
  return (
    <FilterForm>
      <SearchField
        label={by_message ? t('Search by reference') : t('Search by message or reference')}
        value={text}
        onChange={setText}
      />
      {!by_message && (
        <Select
          label={t('Type')}
          value={query.kind ?? ''}
          onChange={(kind) => changeQuery({ kind })}
          choices={[
            { value: '', label: t('Any type') },
            ...Object.entries(KINDS).map(([value, label]) => ({ value, label })),
          ]}
        />
      )}
      {(['from', 'until'] as const).map((name) => (
        <DateFilter
          key={name}
          kind="day"
          label={EDGES[name]}
          value={query[name] ?? ''}
          onChange={(day) => changeQuery({ [name]: day })}
        />
      ))}
      {filtered && (
        <Button look="bare" onClick={() => go(by_message ? '/ledger?by=message' : '/ledger')}>
          {t('Clear')}
        </Button>
      )}
    </FilterForm>
  )
}
