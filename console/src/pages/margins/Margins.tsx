import { FilterForm } from '../../ui/fields.tsx'
import { useState } from 'react'
import { download, withQuery } from '../../api.ts'
import type { MarginFigures } from '../../api-types.ts'
import { useRead } from '../../read.ts'
import { changeQuery, Link, useRoute } from '../../router.tsx'
import { number, plural, t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Empty, Loading, Trouble } from '../../ui/Empty.tsx'
import { Figure, percent } from '../../ui/Figure.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { Select } from '../../ui/select/Select.tsx'
import { valueName, type Course } from '../analytics/analytics.ts'
import '../analytics/analytics.css'
import { Chart } from '../analytics/Chart.tsx'
import { dateIn, usualInterval } from '../analytics/days.ts'
import { ExportButton } from '../analytics/ExportButton.tsx'
import { PeriodFilters, readPeriod } from '../analytics/PeriodFilters.tsx'
import { FigureSelect } from '../analytics/FigureSelect.tsx'
import { Steps } from '../analytics/Steps.tsx'
import { written } from '../analytics/written.ts'
import { courseOf, DIMENSIONS, MARGINS, METRICS, nameOf, type By } from './margins.ts'
import { MarginTable } from './MarginTable.tsx'

const EVERY_MS = 30_000

const STEPS = [
  { value: 'day', label: t('by the day') },
  { value: 'month', label: t('by the month') },
]

/** What the operator of the installation earns, over any days (UTC). */
export default function Margins() {
  const { query } = useRoute()
  const [today] = useState(() => dateIn('UTC', new Date()))
  const period = readPeriod(query, today)
  const { from, until } = period
  const by = readBy(query.by)
  const interval = readInterval(query.interval) ?? (usualInterval(period) === 'month' ? 'month' : 'day')
  const { organisation: organisation_id, carrier, country } = query
  const asked = { from, until, organisation_id, carrier, country }
  const options = { every_ms: EVERY_MS, keep: true }
  const days = useRead(withQuery(MARGINS, { ...asked, by: 'day' }), options)
  const grouped = useRead(withQuery(MARGINS, { ...asked, by }), options)
  const error = days.error ?? grouped.error
  const [grouped_by] = grouped.data?.by ?? []
  return (
    <Page
      title={t('Margins')}
      lead={t('Revenue is what was charged, minus refunds; cost is what carriers charge. Days are in UTC.')}
      wide
      actions={<ExportButton save={() => download(withQuery(`${MARGINS}.csv`, { ...asked, by }), 'margins.csv')} />}
    >
      <FilterForm label={t('What is shown')}>
        <PeriodFilters chosen={period} today={today} />
        <Select
          label={t('Steps')}
          value={interval}
          onChange={(steps) => changeQuery({ interval: steps })}
          choices={STEPS}
        />
        <Select
          label={t('Group by')}
          value={by}
          onChange={(dimension) => changeQuery({ by: dimension, sort: undefined })}
          choices={Object.entries(DIMENSIONS).map(([value, { choice }]) => ({ value, label: choice }))}
        />
      </FilterForm>
      <Narrowed asked={asked} />
      {error && <Trouble error={error} />}
      {!error && !days.data && <Loading />}
      {days.data && <Earned report={courseOf(days.data, interval)} drawn={query.metric} />}
      {grouped.data && grouped_by && (
        <Section title={DIMENSIONS[grouped_by].heading} flush>
          <MarginTable
            by={grouped_by}
            rows={grouped.data.rows}
            currency={grouped.data.currency}
            has_more={grouped.data.has_more}
            sort={query.sort}
          />
        </Section>
      )}
    </Page>
  )
}

type Asked = Record<'from' | 'until' | 'organisation_id' | 'carrier' | 'country', string | undefined>

/** What the figures are narrowed to, each with a button that undoes it. */
function Narrowed({ asked }: { asked: Asked }) {
  const { organisation_id, carrier, country } = asked
  // The address has the id of the organisation, and the report its name.
  const named = useRead(organisation_id ? withQuery(MARGINS, { ...asked, by: 'organisation' }) : null)
  const [first] = named.data?.rows ?? []
  const values = [
    organisation_id && {
      by: 'organisation' as const,
      value: first ? nameOf('organisation', first) : organisation_id,
    },
    carrier && { by: 'carrier' as const, value: carrier },
    country && { by: 'country' as const, value: valueName('country', country) },
  ].filter((one) => typeof one === 'object')
  if (values.length === 0) return null
  return (
    <p className="row">
      {values.map(({ by, value }) => (
        <Button key={by} icon="close" onClick={() => changeQuery({ [by]: undefined })}>
          {t('{dimension}: {value}', { dimension: DIMENSIONS[by].title, value })}
        </Button>
      ))}
    </p>
  )
}

function Earned({ report, drawn }: { report: Course<MarginFigures>; drawn: string | undefined }) {
  const { totals, currency } = report
  const metric = METRICS.find(({ name }) => name === drawn) ?? METRICS[0]
  if (totals.deliveries === 0 || !metric) {
    return (
      <Section>
        <Empty title={t('No margins for this period.')}>
          <p>{t('They are recorded from the moment a carrier has a cost list.')}</p>
          <Link to="/costs" className="button">
            {t('Cost lists')}
          </Link>
        </Empty>
      </Section>
    )
  }
  const amount = (value: number) => written({ form: 'money' }, value, currency)
  return (
    <>
      <dl className="figures">
        <Figure name={t('Revenue')} value={amount(totals.revenue)} note={t('charged, minus refunds')} />
        <Figure
          name={t('Cost')}
          value={amount(totals.cost)}
          note={t('unknown for {n} of {total} deliveries', {
            n: number(totals.without_cost),
            total: number(totals.deliveries),
          })}
        />
        <Figure
          name={t('Margin')}
          value={amount(totals.margin)}
          note={
            totals.without_cost > 0
              ? t('{rate} of the revenue whose cost is known', { rate: percent(totals.margin_rate) })
              : t('{rate} of the revenue', { rate: percent(totals.margin_rate) })
          }
        />
      </dl>
      {totals.without_cost > 0 && (
        <p role="status" className="banner">
          {plural(
            totals.without_cost,
            'The cost of {n} delivery is not known: its revenue, {amount}, is not part of the margin.',
            'The cost of {n} deliveries is not known: their revenue, {amount}, is not part of the margin.',
            { amount: amount(totals.revenue_without_cost) },
          )}{' '}
          <Link to="/costs">{t('Cost lists')}</Link>
        </p>
      )}
      <Section title={t('Over time||a chart')} actions={<FigureSelect chosen={metric.name} metrics={METRICS} />}>
        <Chart report={report} metric={metric} />
        <Steps report={report} metrics={METRICS} />
      </Section>
    </>
  )
}

function readBy(given: string | undefined): By {
  return Object.keys(DIMENSIONS).find((name): name is By => name === given) ?? 'organisation'
}

const readInterval = (given: string | undefined) => (given === 'day' || given === 'month' ? given : undefined)
