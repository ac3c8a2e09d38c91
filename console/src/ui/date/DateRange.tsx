import { changeQuery } from '../../router.tsx'
import { t } from '../../text/text.ts'
import { Select } from '../select/Select.tsx'
import { DateFilter } from './DateField.tsx'
import { RANGES } from './date-range.ts'
import { useZone, zoneName } from './zone.ts'

const OWN = 'own'

/** The time a list shows: one of those often asked for, or from and until a moment. It is in the address. */
export function DateRange({ query: { range, from, until } }: { query: Record<string, string> }) {
  const zone = useZone()
  const own = range === OWN || from !== undefined || until !== undefined
  return (
    <>
      <Select
        label={t('Time')}
        value={own ? OWN : (range ?? '')}
        onChange={(value) => changeQuery({ range: value, from: undefined, until: undefined })}
        choices={[{ value: '', label: t('Any time') }, ...RANGES, { value: OWN, label: t('Custom period') }]}
      />
      {range !== undefined && !own && <span className="date-zone">{zoneName(zone, '')}</span>}
      {own && (
        <>
          <DateFilter
            kind="moment"
            label={t('from||a moment')}
            value={from ?? ''}
            onChange={(moment) => changeQuery({ range: OWN, from: moment })}
          />
          <DateFilter
            kind="moment"
            label={t('until||a moment')}
            value={until ?? ''}
            onChange={(moment) => changeQuery({ range: OWN, until: moment })}
          />
        </>
      )}
    </>
  )
}
