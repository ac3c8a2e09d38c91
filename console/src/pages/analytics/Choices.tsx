import { changeQuery } from '../../router.tsx'
import { t } from '../../text/text.ts'
import { DIMENSIONS, OTP_DIMENSIONS, type By, type Tab } from './analytics.ts'
import { daysOf, PRESETS, type Days, type Preset } from './days.ts'

export type Chosen = Days & {
  preset: Preset
  by: By
  interval: 'hour' | 'day' | 'month'
  compare: string
  tab: Tab
}

/** Period, comparison and dimension. They are kept in the address, so that it can be shared. */
export function Choices({ chosen, today }: { chosen: Chosen; today: string }) {
  const { preset, from, until, by, interval, compare, tab } = chosen
  const dimensions = Object.entries(DIMENSIONS).filter(([name]) => tab === 'messages' || isOtpDimension(name))
  return (
    <form
      className="filters analytics-choices"
      aria-label={t('What is shown')}
      onSubmit={(event) => event.preventDefault()}
    >
      <select
        aria-label={t('Days')}
        value={preset}
        onChange={(event) => {
          const value = PRESETS.find((each) => each.value === event.target.value)?.value ?? 'days'
          const days = value === 'other' ? { from, until } : { from: undefined, until: undefined }
          changeQuery({ days: value, ...days, interval: undefined })
        }}
      >
        {PRESETS.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <label className="filter-time">
        <span>{t('from||a day')}</span>
        <input
          type="date"
          max={today}
          value={from}
          onChange={(event) => changeQuery({ days: 'other', from: event.target.value, until, interval: undefined })}
        />
      </label>
      <label className="filter-time">
        <span>{t('until||a day')}</span>
        <input
          type="date"
          max={today}
          value={until}
          onChange={(event) => changeQuery({ days: 'other', from, until: event.target.value, interval: undefined })}
        />
      </label>
      <select
        aria-label={t('Steps')}
        value={interval}
        onChange={(event) => changeQuery({ interval: event.target.value })}
      >
        <option value="hour">{t('by the hour')}</option>
        <option value="day">{t('by the day')}</option>
        <option value="month">{t('by the month')}</option>
      </select>
      <select
        aria-label={t('Compare')}
        value={compare}
        onChange={(event) => changeQuery({ compare: event.target.value })}
      >
        <option value="">{t('No comparison')}</option>
        <option value="previous_period">{t('and the days before')}</option>
        <option value="previous_year">{t('and the year before')}</option>
      </select>
      <select
        aria-label={t('Group by')}
        value={by}
        onChange={(event) => changeQuery({ by: event.target.value, value: undefined, sort: undefined })}
      >
        {dimensions.map(([name, { choice }]) => (
          <option key={name} value={name}>
            {choice}
          </option>
        ))}
      </select>
    </form>
  )
}

/** What the address says, or what is usual. */
export function readChosen(
  query: Record<string, string>,
  today: string,
  usual: (days: Days) => Chosen['interval'],
): Chosen {
  const preset = PRESETS.find(({ value }) => value === query.days)?.value ?? 'days'
  const tab = query.tab === 'otp' ? 'otp' : 'messages'
  const days = preset === 'other' ? { from: query.from || today, until: query.until || today } : daysOf(preset, today)
  const { interval, compare = '' } = query
  return {
    preset,
    ...days,
    by: readBy(query.by, tab),
    interval: interval === 'hour' || interval === 'day' || interval === 'month' ? interval : usual(days),
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
