import { download, withQuery } from '../../api.ts'
import { useRead } from '../../read.ts'
import { changeQuery, Link, useRoute } from '../../router.tsx'
import { useSession } from '../../session.ts'
import { t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { change } from '../../ui/change.ts'
import { deliveryWords } from '../../ui/delivery-words.ts'
import { Empty, Loading, Trouble } from '../../ui/Empty.tsx'
import { Segments } from '../../ui/fields.tsx'
import { Figure } from '../../ui/Figure.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { DIMENSIONS, METRICS, metricsOf, valueName, type Metric, type Report } from './analytics.ts'
import './analytics.css'
import { Chart } from './Chart.tsx'
import { Choices, readChosen, type Chosen } from './Choices.tsx'
import { dateIn, usualInterval } from './days.ts'
import { ExportButton } from './ExportButton.tsx'
import { FigureSelect } from './FigureSelect.tsx'
import { Steps } from './Steps.tsx'
import { ValueTable } from './ValueTable.tsx'
import { written } from './written.ts'

const PATH = '/analytics'
const EVERY_MS = 30_000

const TABS = [
  { value: 'messages', label: t('Messages') },
  { value: 'otp', label: t('One-time passwords') },
] as const

/** What became of what was sent, over any days, by what it was. */
export default function Analytics() {
  const settings = useRead('/settings', { every_ms: EVERY_MS })
  if (settings.isPending) return <Loading />
  if (!settings.data) return <Trouble error={settings.error} />
  const { time_zone } = settings.data
  return <Shown time_zone={time_zone} today={dateIn(time_zone, new Date(settings.dataUpdatedAt))} />
}

function Shown({ time_zone, today }: { time_zone: string; today: string }) {
  const { query } = useRoute()
  const chosen = readChosen(query, today, usualInterval)
  const { tab, by, from, until, interval, compare } = chosen
  // An empty value is one, too: it is written with a sign in front.
  const value = query.value?.startsWith('=') ? query.value.slice(1) : undefined
  const asked = { from, until, by, interval, compare: compare || undefined }
  const search = withQuery('', asked) + (value === undefined ? '' : `&value=${encodeURIComponent(value)}`)
  const found = useRead(`${PATH}?${search.slice(1)}`, { every_ms: EVERY_MS, keep: true })
  const report = found.data
  return (
    <Page
      title={t('Analytics')}
      lead={t('Messages are counted on the day they were accepted. Days in {time_zone}.', {
        time_zone: time_zone.replaceAll('_', ' '),
      })}
      wide
      actions={
        <>
          <Segments
            label={t('Figures||a choice of the analytics page')}
            value={tab}
            choices={TABS}
            onChange={chooseTab}
          />
          <ExportButton save={() => download(withQuery(`${PATH}.csv`, asked), 'analytics.csv')} />
        </>
      }
    >
      <Choices chosen={chosen} today={today} />
      {found.isPending && <Loading />}
      {found.error && <Trouble error={found.error} />}
      {report && <Answer report={report} chosen={chosen} value={value} query={query} />}
    </Page>
  )
}

function chooseTab(tab: string): void {
  changeQuery({
    tab: tab === 'otp' ? tab : undefined,
    by: undefined,
    value: undefined,
    metric: undefined,
    sort: undefined,
  })
}

function Answer({
  report,
  chosen: { tab, by },
  value,
  query,
}: {
  report: Report
  chosen: Chosen
  value: string | undefined
  query: Record<string, string>
}) {
  const may_send = useSession().right('sms') === 'change'
  const metrics = value === undefined ? METRICS[tab] : metricsOf(tab, by)
  const [first] = metrics
  const metric = metrics.find(({ name }) => name === query.metric) ?? first
  const nothing = metrics.every(({ of }) => !of(report.totals) && !(report.previous && of(report.previous.totals)))
  const known = report.values?.find((each) => each.value === value)
  const name = known?.description === undefined ? known?.name : deliveryWords(known.description)
  return (
    <>
      <dl className="figures">
        {metrics.map((each) => (
          <Figure
            key={each.name}
            name={each.title}
            value={written(each, each.of(report.totals), report.currency)}
            note={note(report, each)}
          />
        ))}
      </dl>
      <Section
        title={
          value === undefined
            ? t('Over time||a chart')
            : t('{dimension}: {value}', { dimension: DIMENSIONS[by].title, value: valueName(by, value, name) })
        }
        actions={
          <>
            {value !== undefined && <Button onClick={() => changeQuery({ value: undefined })}>{t('Show all')}</Button>}
            {metrics.length > 1 && metric && <FigureSelect chosen={metric.name} metrics={metrics} />}
          </>
        }
      >
        {nothing || !metric ? (
          <Empty title={t('No data for this period.')}>
            {may_send ? (
              <Link to="/send" className="button">
                {t('Send a message')}
              </Link>
            ) : (
              t('Choose another period.')
            )}
          </Empty>
        ) : (
          <>
            <Chart report={report} metric={metric} />
            <Steps report={report} metrics={metrics} />
          </>
        )}
      </Section>
      <Section title={DIMENSIONS[by].heading} flush>
        <ValueTable report={report} by={by} tab={tab} sort={query.sort} />
      </Section>
    </>
  )
}

function note(report: Report, metric: Metric): string {
  const { previous, totals, currency } = report
  if (previous) {
    const before = metric.of(previous.totals)
    const more = change(metric, metric.of(totals), before)
    const figure = written(metric, before, currency)
    return more ? t('{figure} before, {change}', { figure, change: more }) : t('{figure} before', { figure })
  }
  if (metric.name === 'cost') return t('{amount} refunded', { amount: written(metric, totals.refunded, currency) })
  if (metric.name === 'rate') return t('of those that ended')
  return metric.name === 'conversion' ? t('of those requested') : t('in total')
}
