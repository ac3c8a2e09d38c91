import { FilterForm } from '../../ui/fields.tsx'
import { changeQuery } from '../../router.tsx'
import { t } from '../../text/text.ts'
import { Select } from '../../ui/select/Select.tsx'
import { valueName } from '../analytics/analytics.ts'
import { CHANNELS, CLASSES, DEFAULT_HOURS, PERIODS, type Filters } from './filters.ts'

/** What the figures are of. It is kept in the address. */
export function EvidenceFilters({ chosen, countries }: { chosen: Filters; countries: readonly string[] }) {
  // A country whose number is not known cannot be asked for. The chosen one stays, without messages too.
  const listed = new Set([...countries, chosen.country ?? ''].filter((country) => country !== ''))
  const named = [...listed].map((country) => ({ value: country, label: valueName('country', country) }))
  return (
    <FilterForm label={t('What is shown')}>
      <Select
        label={t('Period')}
        value={String(chosen.hours)}
        onChange={(hours) => changeQuery({ hours: hours === String(DEFAULT_HOURS) ? undefined : hours })}
        choices={PERIODS.map(({ hours, label }) => ({ value: String(hours), label }))}
      />
      <Select
        label={t('Channel')}
        value={chosen.channel ?? ''}
        onChange={(channel) => changeQuery({ channel })}
        choices={CHANNELS}
      />
      <Select
        label={t('Class')}
        value={chosen.class ?? ''}
        onChange={(its_class) => changeQuery({ class: its_class })}
        choices={CLASSES}
      />
      <Select
        label={t('Country')}
        value={chosen.country ?? ''}
        onChange={(country) => changeQuery({ country })}
        choices={[
          { value: '', label: t('All countries') },
          ...named.toSorted((a, b) => a.label.localeCompare(b.label)),
        ]}
      />
    </FilterForm>
  )
}
