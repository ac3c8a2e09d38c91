import { changeQuery } from '../../router.tsx'
import { t } from '../../text/text.ts'
import { DateFilter } from '../../ui/date/DateField.tsx'
import { Select } from '../../ui/select/Select.tsx'
import { daysOf, PRESETS, type Days, type Preset } from './days.ts'

export type Period = Days & { preset: Preset }

/** The days that are shown. They are kept in the address. */
export function PeriodFilters({ chosen: { preset, from, until }, today }: { chosen: Period; today: string }) {
  return (
    <>
      <Select
        label={t('Days')}
        value={preset}
        onChange={(given) => {
          const value = PRESETS.find((each) => each.value === given)?.value ?? 'days'
          const days = value === 'other' ? { from, until } : { from: undefined, until: undefined }
          changeQuery({ days: value, ...days, interval: undefined })
        }}
        choices={PRESETS}
      />
      <DateFilter
        kind="day"
        label={t('from||a day')}
        latest={today}
        value={from}
        onChange={(day) => changeQuery({ days: 'other', from: day, until, interval: undefined })}
      />
      <DateFilter
        kind="day"
        label={t('until||a day')}
        latest={today}
        value={until}
        onChange={(day) => changeQuery({ days: 'other', from, until: day, interval: undefined })}
      />
    </>
  )
}

/** What the address says, or the last 30 days. */
export function readPeriod(query: Record<string, string>, today: string): Period {
  const preset = PRESETS.find(({ value }) => value === query.days)?.value ?? 'days'
  if (preset !== 'other') return { preset, ...daysOf(preset, today) }
  return { preset, from: query.from || today, until: query.until || today }
}
