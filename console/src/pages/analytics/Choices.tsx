import { FilterForm } from '../../ui/fields.tsx'
import { changeQuery } from '../../router.tsx'
import { t } from '../../text/text.ts'
import { Select } from '../../ui/select/Select.tsx'
import { DIMENSIONS, OTP_DIMENSIONS, type By, type Tab } from './analytics.ts'
import { PeriodFilters, readPeriod, type Period } from './PeriodFilters.tsx'
import type { Days } from './days.ts'

export type Chosen = Period & {
  by: By
  interval: 'hour' | 'day' | 'month'
  compare: string
  tab: Tab
}

const STEPS = [
  { value: 'hour', label: t('by the hour') },
  { value: 'day', label: t('by the day') },
  { value: 'month', label: t('by the month') },
]

const COMPARISONS = [
  { value: '', label: t('No comparison') },
  { value: 'previous_period', label: t('and the days before') },
  { value: 'previous_year', label: t('and the year before') },
]

/** Period, comparison and dimension. They are kept in the address, so that it can be shared. */
export function Choices({ chosen, today }: { chosen: Chosen; today: string }) {
  const { by, interval, compare, tab } = chosen
  const dimensions = Object.entries(DIMENSIONS).filter(([name]) => tab === 'messages' || isOtpDimension(name))
  return (
    <FilterForm label={t('What is shown')}>
      <PeriodFilters chosen={chosen} today={today} />
      <Select
        label={t('Steps')}
        value={interval}
        onChange={(steps) => changeQuery({ interval: steps })}
        choices={STEPS}
      />
      <Select
        label={t('Compare')}
        value={compare}
        onChange={(other) => changeQuery({ compare: other })}
        choices={COMPARISONS}
      />
      <Select
        label={t('Group by')}
        value={by}
        onChange={(dimension) => changeQuery({ by: dimension, value: undefined, sort: undefined })}
        choices={dimensions.map(([name, { choice }]) => ({ value: name, label: choice }))}
      />
    </FilterForm>
  )
}

/** What the address says, or what is usual. */
export function readChosen(
  query: Record<string, string>,
  today: string,
  usual: (days: Days) => Chosen['interval'],
): Chosen {
  const period = readPeriod(query, today)
  const tab = query.tab === 'otp' ? 'otp' : 'messages'
  const { interval, compare = '' } = query
  return {
    ...period,
    by: readBy(query.by, tab),
    interval: interval === 'hour' || interval === 'day' || interval === 'month' ? interval : usual(period),
    compare: compare === 'previous_period' || compare === 'previous_year' ? compare : '',
    tab,
  }
}

function readBy(given: string | undefined, tab: Tab): By {
  const known = Object.keys(DIMENSIONS).find((name): name is By => name === given)
  return known && (tab === 'messages' || isOtpDimension(known)) ? known : 'country'
}

function isOtpDimension(name: string): boolean {
  return OTP_DIMENSIONS.some((each) => each === name)
}
