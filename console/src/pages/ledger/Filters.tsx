import { useEffect, useState } from 'react'
import { changeQuery, go } from '../../router.tsx'
import { t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { SearchField } from '../../ui/fields.tsx'
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
    <form role="search" className="filters" onSubmit={(event) => event.preventDefault()}>
      <SearchField
        label={by_message ? t('Search by reference') : t('Search by message or reference')}
        value={text}
        onChange={setText}
      />
      {!by_message && (
        <select
          aria-label={t('Kind')}
          value={query.kind ?? ''}
          onChange={(event) => changeQuery({ kind: event.target.value })}
        >
          <option value="">{t('Any kind')}</option>
          {Object.entries(KINDS).map(([kind, name]) => (
            <option key={kind} value={kind}>
              {name}
            </option>
          ))}
        </select>
      )}
      {(['from', 'until'] as const).map((name) => (
        <label key={name} className="filter-time">
          <span>{EDGES[name]}</span>
          <input
            type="date"
            value={query[name] ?? ''}
            onChange={(event) => changeQuery({ [name]: event.target.value })}
          />
        </label>
      ))}
      {filtered && (
        <Button look="bare" onClick={() => go(by_message ? '/ledger?by=message' : '/ledger')}>
          {t('Clear')}
        </Button>
      )}
    </form>
  )
}
