import { changeQuery } from '../router.tsx'
import { t } from '../text/text.ts'
import { RANGES } from './date-range.ts'

const OWN = 'own'

/** The time a list shows: one of those often asked for, or from and until a moment. It is in the address. */
export function DateRange({ query: { range, from, until } }: { query: Record<string, string> }) {
  const own = range === OWN || from !== undefined || until !== undefined
  return (
    <>
      <select
        aria-label={t('Time')}
        value={own ? OWN : (range ?? '')}
        onChange={({ target: { value } }) => changeQuery({ range: value, from: undefined, until: undefined })}
      >
        <option value="">{t('Any time')}</option>
        {RANGES.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
        <option value={OWN}>{t('From … until …')}</option>
      </select>
      {own && (
        <>
          <label className="filter-time">
            <span>{t('from||a moment')}</span>
            <input
              type="datetime-local"
              value={from ?? ''}
              onChange={(event) => changeQuery({ range: OWN, from: event.target.value })}
            />
          </label>
          <label className="filter-time">
            <span>{t('until||a moment')}</span>
            <input
              type="datetime-local"
              value={until ?? ''}
              onChange={(event) => changeQuery({ range: OWN, until: event.target.value })}
            />
          </label>
        </>
      )}
    </>
  )
}
